#include <algorithm>

#include "base/utf8.h"
#include "policy/redaction/mask.h"
#include "policy/redaction/redaction_run.h"
#include "policy/redaction/text_class.h"
#include "policy/risk/request_body.h"

// The bodies of requests: the half of RedactionRun that knows their forms.
namespace falconer::policy {
namespace {

std::string_view TrimmedBlank(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// A preview is read by people: what masks are made of stays readable.
std::string FormEncoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  constexpr std::string_view kKept = "-_.*@[]~#:,/!";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (IsAlnumChar(c) || kKept.contains(c)) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += '%';
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 15U];
    }
  }
  return out;
}

// A parameter of a header value: boundary=..., name="...".
std::string ParameterIn(std::string_view header, std::string_view name) {
  const std::string lower = LowerAscii(header);
  const std::string wanted = std::string(name) + "=";
  for (std::size_t at = lower.find(wanted); at != std::string::npos;
       at = lower.find(wanted, at + 1)) {
    const bool is_whole = at == 0 || !IsKeyChar(lower[at - 1]);
    if (!is_whole) continue;
    std::string_view value = header.substr(at + wanted.size());
    const bool is_quoted = value.starts_with('"');
    if (is_quoted) value.remove_prefix(1);
    return std::string(value.substr(0, value.find_first_of(is_quoted ? "\"" : "; \t\r\n")));
  }
  return {};
}

std::string BinaryNote(std::size_t size) {
  return "[binary, " + std::to_string(size) + " bytes]";
}

constexpr std::size_t kLongestBoundary = 70;

}  // namespace

void RedactionRun::Body(std::string_view content_type, std::string& body) {
  const std::string type = LowerAscii(TrimmedBlank(content_type.substr(0, content_type.find(';'))));
  if (type == "multipart/form-data") {
    const std::string boundary = ParameterIn(content_type, "boundary");
    if (!boundary.empty() && boundary.size() <= kLongestBoundary) {
      return MultipartBody(boundary, body);
    }
  }
  if (!IsValidUtf8(body)) {
    body = BinaryNote(body.size());
    return;
  }
  if (type == "application/x-www-form-urlencoded") return FormBody(body);
  if (auto redacted = RedactedJson(body)) {
    body = *std::move(redacted);
  } else {
    Text(body);
  }
}

void RedactionRun::FormBody(std::string& body) {
  std::string out;
  std::string_view rest = body;
  while (true) {
    const std::size_t end = std::min(rest.find('&'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string name = FormDecoded(pair.substr(0, equals));
    json::value value(FormDecoded(pair.substr(std::min(equals + 1, pair.size()))));
    const json::value before = value;
    if (IsValidUtf8(value.get_string())) Field(name, value);
    std::string shown(pair.substr(0, equals));
    if (const auto redacted = Redacted(name)) shown = FormEncoded(*redacted);
    out += shown;
    if (equals < pair.size()) {
      out += "=";
      out += value == before ? std::string(pair.substr(equals + 1))
                             : FormEncoded(std::string_view(value.get_string()));
    }
    if (end == rest.size()) break;
    out += '&';
    rest.remove_prefix(end + 1);
  }
  body = std::move(out);
}

void RedactionRun::MultipartBody(std::string_view boundary, std::string& body) {
  const std::string mark = "--" + std::string(boundary);
  std::string out;
  std::string_view rest = body;
  while (true) {
    const std::size_t at = rest.find(mark);
    out += Part(rest.substr(0, at));
    if (at == std::string_view::npos) break;
    out += mark;
    rest.remove_prefix(at + mark.size());
  }
  body = std::move(out);
}

// One part: its headers stay, its content goes by its name and its own type.
std::string RedactionRun::Part(std::string_view part) {
  const std::size_t split = part.find("\r\n\r\n");
  if (split == std::string_view::npos) return std::string(part);
  const std::string_view head = part.substr(0, split + 4);
  std::string content(part.substr(split + 4));
  const std::string_view end = content.ends_with("\r\n") ? "\r\n" : "";
  content.resize(content.size() - end.size());
  std::string type;
  const std::size_t type_at = LowerAscii(head).find("content-type:");
  if (type_at != std::string::npos) {
    const std::string_view line = head.substr(type_at + 13);
    type = std::string(TrimmedBlank(line.substr(0, line.find("\r\n"))));
  }
  if (const auto meaning = MeaningOfField(ParameterIn(head, "name"))) {
    content = Whole(*meaning, content);
  } else {
    Body(type, content);
  }
  std::string shown(head);
  Text(shown);
  return shown + content + std::string(end);
}

}  // namespace falconer::policy
