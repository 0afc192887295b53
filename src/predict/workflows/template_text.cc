#include "predict/workflows/template_text.h"

#include <algorithm>

#include "base/text.h"

namespace falconer::predict {
namespace {

using Kind = TemplatePart::Kind;

constexpr std::size_t kMaxParameterName = 48;
constexpr std::size_t kMaxWorkflowName = 64;

// The name in "{name}" at the begin of `text`, or "".
std::string_view NameAt(std::string_view text) {
  const std::size_t end = text.find('}');
  if (!text.starts_with('{') || end == text.npos) return {};
  const std::string_view name = text.substr(1, end - 1);
  return IsParameterName(name) ? name : std::string_view();
}

void AddLiteral(TemplateParts& parts, std::string_view text) {
  if (parts.empty() || parts.back().kind != Kind::kLiteral)
    parts.push_back({.kind = Kind::kLiteral, .text = ""});
  parts.back().text += text;
}

// A brace must be doubled where it would be read as something else.
std::string WithoutNames(std::string_view literal) {
  std::string out;
  for (std::size_t at = 0; at < literal.size(); ++at) {
    const std::string_view rest = literal.substr(at);
    const bool is_read = rest.starts_with("{{") || rest == "{" || !NameAt(rest).empty();
    if (literal[at] == '{' && is_read) out += '{';
    out += literal[at];
  }
  return out;
}

}  // namespace

bool IsParameterName(std::string_view name) {
  return !name.empty() && name.size() <= kMaxParameterName && IsLower(name[0]) &&
         std::ranges::all_of(name, [](char c) { return IsLower(c) || IsDigit(c) || c == '_'; });
}

bool IsWorkflowName(std::string_view name) {
  const auto is_plain = [](char c) { return IsLower(c) || IsDigit(c); };
  return !name.empty() && name.size() <= kMaxWorkflowName && is_plain(name[0]) &&
         std::ranges::all_of(
             name, [&](char c) { return is_plain(c) || c == '.' || c == '_' || c == '-'; });
}

TemplateParts TemplateOf(std::string_view text) {
  TemplateParts parts;
  while (!text.empty()) {
    const std::size_t plain = std::min(text.find('{'), text.size());
    if (plain > 0) AddLiteral(parts, text.substr(0, plain));
    text.remove_prefix(plain);
    if (text.empty()) break;
    if (const std::string_view name = NameAt(text); !name.empty()) {
      parts.push_back({.kind = Kind::kParameter, .text = std::string(name)});
      text.remove_prefix(name.size() + 2);
    } else {
      AddLiteral(parts, "{");
      text.remove_prefix(text.starts_with("{{") ? 2 : 1);
    }
  }
  return parts;
}

std::string TemplateLiteral(std::string_view literal) {
  return WithoutNames(literal);
}

std::string TemplateText(const TemplateParts& parts) {
  std::string out;
  for (const TemplatePart& part : parts) {
    const bool is_literal = part.kind == Kind::kLiteral;
    out += is_literal ? WithoutNames(part.text) : "{" + part.text + "}";
  }
  return out;
}

bool HasParameter(std::string_view text) {
  return std::ranges::any_of(
      TemplateOf(text), [](const TemplatePart& part) { return part.kind == Kind::kParameter; });
}

Result<std::string> Expand(const TemplateParts& parts, const ValueOf& value_of) {
  std::string out;
  for (const TemplatePart& part : parts) {
    if (part.kind == Kind::kLiteral) {
      out += part.text;
    } else {
      TRY_ASSIGN(const std::string value, value_of(part.text));
      out += value;
    }
  }
  return out;
}

}  // namespace falconer::predict
