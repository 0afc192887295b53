#include "policy/body/multipart.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "policy/body/header_parameter.h"

namespace falconer::policy {
namespace {

// A line "--boundary", with the line end before it, or "--boundary--".
struct Mark {
  std::size_t begin = 0;  // where the part before it ends
  std::size_t end = 0;    // where the part after it begins
  bool is_last = false;
};

std::string_view LineAt(std::string_view body, std::size_t at) {
  return body.substr(at, body.find('\n', at) - at);
}

// What a line that begins with the mark's text is, once that is taken off.
std::optional<Mark> MarkIn(std::string_view body, std::size_t at, std::size_t length) {
  const std::string_view line = LineAt(body, at);
  std::string_view rest = line.substr(length);
  Mark mark{.begin = at, .end = std::min(at + line.size() + 1, body.size())};
  if (rest.starts_with("--")) {
    mark.is_last = true;
    rest.remove_prefix(2);
  }
  // The last line may be cut off; any other is followed by the head of a part.
  if (!Trim(rest).empty()) return std::nullopt;
  if (mark.begin > 0) --mark.begin;
  if (mark.begin > 0 && body[mark.begin - 1] == '\r') --mark.begin;
  return mark;
}

std::optional<Mark> NextMark(std::string_view body, std::string_view text, std::size_t from) {
  for (std::size_t at = body.find(text, from); at != body.npos; at = body.find(text, at + 1)) {
    const bool begins_line = at == 0 || body[at - 1] == '\n';
    if (!begins_line) continue;
    if (const auto mark = MarkIn(body, at, text.size())) return mark;
  }
  return std::nullopt;
}

std::string_view PartHeader(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    const std::string_view line = head.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon != line.npos && IsSameWord(Trim(line.substr(0, colon)), name)) {
      return Trim(line.substr(colon + 1));
    }
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  return {};
}

// Where the empty line that ends the head begins and the content does.
std::optional<std::pair<std::size_t, std::size_t>> HeadEnd(std::string_view part) {
  if (part.starts_with("\r\n")) return std::pair{0, 2};
  if (part.starts_with('\n')) return std::pair{0, 1};
  const std::size_t usual = part.find("\r\n\r\n");
  const std::size_t bare = part.find("\n\n");
  if (usual == part.npos && bare == part.npos) return std::nullopt;
  return usual < bare ? std::pair{usual, usual + 4} : std::pair{bare, bare + 2};
}

std::string Mended(std::string_view text) {
  return MendedUtf8(std::string(text));
}

// A part without a line that ends its head has no content.
MultipartPart PartOf(std::string_view part) {
  const auto [split, begin] = HeadEnd(part).value_or(std::pair{part.size(), part.size()});
  const std::string_view head = part.substr(0, split);
  const std::string_view disposition = PartHeader(head, "content-disposition");
  const auto file_name = HeaderParameter(disposition, "filename");
  const auto coded_name = HeaderParameter(disposition, "filename*");
  return {.field = Mended(HeaderParameter(disposition, "name").value_or("")),
          .file_name = Mended(file_name.value_or(coded_name.value_or(""))),
          .is_file = file_name || coded_name,
          .content_type = Mended(PartHeader(head, "content-type")),
          .head = head,
          .content = part.substr(begin)};
}

}  // namespace

MultipartBody ReadMultipartBody(std::string_view content_type, std::string_view body) {
  const std::string boundary = HeaderParameter(content_type, "boundary").value_or("");
  const std::string text = "--" + boundary;
  const auto first = boundary.empty() ? std::nullopt : NextMark(body, text, 0);
  if (!first) return {.parts = {}, .is_whole = false};
  MultipartBody out{.parts = {}, .is_whole = first->begin == 0};
  Mark mark = *first;
  while (out.parts.size() < kMaxParts) {
    const auto next = NextMark(body, text, mark.end);
    if (!next) {
      const std::string_view rest = body.substr(mark.end);
      if (mark.is_last && Trim(rest).empty()) return out;
      out.is_whole = false;
      // The head of a part that is cut off still says what it is.
      if (!mark.is_last) out.parts.push_back(PartOf(rest));
      return out;
    }
    // What stands after the end is no part, to most.
    out.is_whole = out.is_whole && !mark.is_last;
    const std::size_t end = std::max(next->begin, mark.end);
    out.parts.push_back(PartOf(body.substr(mark.end, end - mark.end)));
    mark = *next;
  }
  out.is_whole = false;
  return out;
}

}  // namespace falconer::policy
