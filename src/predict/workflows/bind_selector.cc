#include "predict/workflows/bind_selector.h"

#include <fmt/format.h>

#include "base/text.h"

namespace falconer::predict {
namespace {

using Kind = TemplatePart::Kind;
using model::Engine;
using model::SelectorStep;
using model::TextMatch;
using model::TextMode;

std::unexpected<Error> RefusePlace(std::string_view text, std::string_view why) {
  return Fail(ErrorCode::kInvalidSelector, fmt::format("selector {}: {}", text, why));
}

Result<void> BindText(std::string& text, const ValueOf& value_of) {
  TRY_ASSIGN(text, Expand(TemplateOf(text), value_of));
  return {};
}

Result<void> BindMatch(TextMatch& match, const ValueOf& value_of) {
  if (match.mode != TextMode::kRegex) return BindText(match.text, value_of);
  if (HasEscapedParameter(match.text))
    return RefusePlace(match.text, "a parameter stands behind a backslash");
  return BindText(match.text, [&](const std::string& name) -> Result<std::string> {
    TRY_ASSIGN(const std::string value, value_of(name));
    return RegexLiteral(value);
  });
}

// A string of css: what would end it, or is no part of one, is escaped.
std::string CssStringPart(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\n' || c == '\r' || c == '\f') {
      out += fmt::format("\\{:x} ", static_cast<int>(c));
    } else {
      if (c == '"' || c == '\'' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out;
}

// Whether what follows `css` would be inside a string.
class CssQuotes {
 public:
  void Pass(std::string_view css) {
    for (const char c : css) {
      if (is_escaped_) {
        is_escaped_ = false;
      } else if (c == '\\') {
        is_escaped_ = true;
      } else if (quote_ == '\0' && (c == '"' || c == '\'')) {
        quote_ = c;
      } else if (c == quote_) {
        quote_ = '\0';
      }
    }
  }
  bool is_safe() const { return quote_ != '\0' && !is_escaped_; }

 private:
  char quote_ = '\0';
  bool is_escaped_ = false;
};

Result<void> BindCss(std::string& css, const ValueOf& value_of) {
  CssQuotes quotes;
  std::string out;
  for (const TemplatePart& part : TemplateOf(css)) {
    if (part.kind == Kind::kLiteral) {
      quotes.Pass(part.text);
      out += part.text;
      continue;
    }
    if (!quotes.is_safe()) return RefusePlace(css, "a parameter of css stands in quotes only");
    TRY_ASSIGN(const std::string value, value_of(part.text));
    out += CssStringPart(value);
  }
  css = std::move(out);
  return {};
}

Result<void> BindSteps(std::vector<SelectorStep>& steps, const ValueOf& value_of);

// A selector is nested less deep than it may be.
Result<void> BindStep(SelectorStep& step, const ValueOf& value_of) {
  switch (step.engine) {
    case Engine::kCss:
      return BindCss(step.body.text, value_of);
    case Engine::kXpath:
      if (HasParameter(step.body.text))
        return RefusePlace(step.body.text, "an xpath takes no parameters");
      return BindText(step.body.text, value_of);
    case Engine::kRole:
      return step.role.name ? BindMatch(*step.role.name, value_of) : Result<void>();
    case Engine::kHas:
    case Engine::kHasNot:
    case Engine::kFrame:
      return BindSteps(step.nested, value_of);
    case Engine::kNth:
    case Engine::kVisible:
      return {};
    default:
      return BindMatch(step.body, value_of);
  }
}

Result<void> BindSteps(std::vector<SelectorStep>& steps, const ValueOf& value_of) {
  for (SelectorStep& step : steps) TRY(BindStep(step, value_of));
  return {};
}

constexpr std::string_view kRegexSyntax = R"(\^$.*+?()[]{}|/)";

}  // namespace

std::string RegexLiteral(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\r') {
      out += "\\r";
    } else if (c == '-') {
      // A backslash before it is refused by some expressions; alone it makes a range of letters.
      out += "\\x2d";
    } else {
      if (kRegexSyntax.contains(c)) out += '\\';
      out += c;
    }
  }
  return out;
}

bool HasEscapedParameter(std::string_view text) {
  bool is_escaped = false;
  for (const TemplatePart& part : TemplateOf(text)) {
    if (part.kind == Kind::kParameter && is_escaped) return true;
    const std::size_t last = part.text.find_last_not_of('\\');
    const std::size_t slashes = part.text.size() - (last == part.text.npos ? 0 : last + 1);
    is_escaped = part.kind == Kind::kLiteral && slashes % 2 == 1;
  }
  return false;
}

Result<std::string> BindSelector(std::string_view text, const ValueOf& value_of) {
  TRY_ASSIGN(model::Selector selector, model::ParseSelector(text));
  const model::Selector before = selector;
  // An element is not named by what is nothing.
  const ValueOf something = [&](const std::string& name) -> Result<std::string> {
    TRY_ASSIGN(std::string value, value_of(name));
    if (Trim(value).empty()) return RefusePlace(text, fmt::format("parameter {} is empty", name));
    return value;
  };
  TRY(BindSteps(selector.steps, something));
  std::string bound = selector == before ? std::string(text) : selector.ToString();
  TRY_ASSIGN(const model::NamedSelector named, model::MakeNamedSelector(bound));
  if (named.parsed != selector) return RefusePlace(text, "a value does not go into it");
  return bound;
}

}  // namespace falconer::predict
