#include "engine/approvals/multipart.h"

#include <algorithm>

#include "base/utf8.h"
#include "model/text.h"

namespace falconer::engine {
namespace {

constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::size_t kMostParts = 512;

// The parameter of a header's value: name="x", or bare. A quoted value may hold anything but a
// quote: browsers write %22 for that.
std::string ParameterOf(std::string_view value, std::string_view name) {
  const std::string lower = model::ToLower(value);
  const std::string wanted = std::string(name) + "=";
  for (std::size_t at = lower.find(wanted); at != lower.npos; at = lower.find(wanted, at + 1)) {
    const bool is_whole_name = at == 0 || lower[at - 1] == ' ' || lower[at - 1] == ';';
    if (!is_whole_name) continue;
    std::string_view rest = value.substr(at + wanted.size());
    const bool is_quoted = rest.starts_with('"');
    if (is_quoted) rest.remove_prefix(1);
    return MendedUtf8(std::string(rest.substr(0, rest.find_first_of(is_quoted ? "\"" : "; \t"))));
  }
  return "";
}

std::string_view HeaderOf(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const std::size_t end = std::min(head.find(kLineEnd), head.size());
    const std::string_view line = head.substr(0, end);
    const std::size_t colon = line.find(':');
    if (colon != line.npos && model::ToLower(model::Trim(line.substr(0, colon))) == name) {
      return model::Trim(line.substr(colon + 1));
    }
    head.remove_prefix(std::min(end + kLineEnd.size(), head.size()));
  }
  return {};
}

// A part without a line that ends its head has no content.
MultipartPart PartOf(std::string_view part) {
  const std::size_t split = std::min(part.find(kHeadEnd), part.size());
  const std::string_view head = part.substr(0, split);
  const std::string_view disposition = HeaderOf(head, "content-disposition");
  return {.field = ParameterOf(disposition, "name"),
          .file_name = ParameterOf(disposition, "filename"),
          .is_file = model::ToLower(disposition).contains("filename"),
          .content_type = MendedUtf8(std::string(HeaderOf(head, "content-type"))),
          .content = part.substr(std::min(split + kHeadEnd.size(), part.size()))};
}

}  // namespace

MultipartBody ReadMultipartBody(std::string_view content_type, std::string_view body) {
  MultipartBody out;
  const std::string boundary = ParameterOf(content_type, "boundary");
  const std::string mark = "--" + boundary;
  if (boundary.empty() || !body.starts_with(mark)) return {.parts = {}, .is_whole = false};
  const std::string next = std::string(kLineEnd) + mark;
  body.remove_prefix(mark.size());
  while (body.starts_with(kLineEnd)) {
    body.remove_prefix(kLineEnd.size());
    const std::size_t end = body.find(next);
    if (out.parts.size() == kMostParts) return {.parts = std::move(out.parts), .is_whole = false};
    out.parts.push_back(PartOf(body.substr(0, end)));
    if (end == body.npos) return {.parts = std::move(out.parts), .is_whole = false};
    body.remove_prefix(end + next.size());
  }
  out.is_whole = body.starts_with("--");
  return out;
}

}  // namespace falconer::engine
