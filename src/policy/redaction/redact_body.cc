#include <algorithm>

#include "base/percent.h"
#include "base/text.h"
#include "base/utf8.h"
#include "policy/body/header_parameter.h"
#include "policy/body/multipart.h"
#include "policy/body/request_body.h"
#include "policy/redaction/mask.h"
#include "policy/redaction/redaction_run.h"

// The bodies of requests: the half of RedactionRun that knows their forms.
namespace falconer::policy {
namespace {

// A preview is read by people: what masks are made of stays readable.
std::string FormEncoded(std::string_view text) {
  return PercentEncoded(text, {.kept = "-_.*@[]~#:,/!", .space = SpaceForm::kPlus});
}

std::string BinaryNote(std::size_t size) {
  return "[binary, " + std::to_string(size) + " bytes]";
}

}  // namespace

void RedactionRun::Body(std::string_view content_type, std::string& body) {
  const std::string type = ToLower(Trim(content_type.substr(0, content_type.find(';'))));
  if (type == "multipart/form-data") {
    const MultipartBody read = ReadMultipartBody(content_type, body);
    if (!read.parts.empty()) {
      body = Parts(read, "--" + HeaderParameter(content_type, "boundary").value_or(""), body);
      return;
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

std::string RedactionRun::Parts(const MultipartBody& read, std::string_view mark,
                                std::string_view body) {
  std::string out;
  const char* shown = body.data();
  const auto until = [&](const char* end) {
    const std::string_view text(shown, static_cast<std::size_t>(end - shown));
    shown = end;
    return text;
  };
  for (const MultipartPart& part : read.parts) {
    out += Between(until(part.head.data()), mark);
    std::string head(until(part.head.data() + part.head.size()));
    Text(head);
    out += head;
    out += until(part.content.data());
    out += Content(part);
    until(part.content.data() + part.content.size());
  }
  return out + Between(until(body.data() + body.size()), mark);
}

// A line between parts; what stands before the first and after the last is a text of its own.
std::string RedactionRun::Between(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  std::string before(text.substr(0, at));
  Body("", before);
  if (at == text.npos) return before;
  std::string after(text.substr(at + mark.size()));
  Body("", after);
  return before + std::string(mark) + after;
}

// By its name, and by its own type.
std::string RedactionRun::Content(const MultipartPart& part) {
  if (const auto meaning = MeaningOfField(part.field)) return Whole(*meaning, part.content);
  std::string content(part.content);
  Body(part.content_type, content);
  return content;
}

}  // namespace falconer::policy
