// ParseSelector: the grammar in selector.h, by recursive descent over SelectorScan.

#include <fmt/format.h>
#include <utility>

#include "base/text.h"
#include "base/utf8.h"
#include "model/selector/selector.h"
#include "model/selector/selector_role.h"
#include "model/selector/selector_scan.h"

namespace falconer::model {
namespace {

using Steps = std::vector<SelectorStep>;

constexpr int kMaxIndex = 1'000'000;
// Canonical text is longer than what was parsed (prefixes, quotes), so the parser takes more than
// callers may send.
constexpr std::size_t kMaxText = 4 * kMaxSelectorLength;

std::optional<Engine> EngineNamed(std::string_view name) {
  for (int i = 0; i <= std::to_underlying(Engine::kFrame); ++i) {
    const auto engine = static_cast<Engine>(i);
    if (EngineName(engine) == name) return engine;
  }
  return std::nullopt;
}

class SelectorParser {
 public:
  explicit SelectorParser(std::string_view text) : scan_(text) {}

  Result<Selector> Parse();

 private:
  // What may stand in a chain depends on where the chain is.
  enum class Place : std::uint8_t { kWhole, kNested };

  Result<Steps> Chain(Place place);
  Result<void> CheckPlace(const Steps& before, const SelectorStep& step, Place place) const;
  Result<SelectorStep> Step();
  Result<Engine> StepEngine();
  Result<void> Body(SelectorStep& step);
  Result<TextMatch> TextBody();
  Result<std::string> Literal();
  Result<std::string> NonEmptyCode(Engine engine);
  Result<int> Index();
  Result<Steps> Nested();
  Result<Steps> FrameBody();

  SelectorScan scan_;
};

Result<Selector> SelectorParser::Parse() {
  TRY_ASSIGN(Steps steps, Chain(Place::kWhole));
  if (steps.back().engine == Engine::kFrame) {
    return scan_.Refuse("a frame is named, but no element in it");
  }
  return Selector{std::move(steps)};
}

Result<Steps> SelectorParser::Chain(Place place) {
  Steps steps;
  do {
    scan_.SkipSpaces();
    const std::size_t start = scan_.position();
    if (scan_.AtStepEnd()) return scan_.Refuse("a step is missing");
    TRY_ASSIGN(SelectorStep step, Step());
    if (auto placed = CheckPlace(steps, step, place); !placed) {
      return scan_.RefuseAt(start, placed.error().message());
    }
    steps.push_back(std::move(step));
    scan_.SkipSpaces();
    if (!scan_.AtStepEnd()) return scan_.Refuse("expected ' >> ' or the end");
  } while (scan_.TakeSeparator());
  return steps;
}

Result<void> SelectorParser::CheckPlace(const Steps& before, const SelectorStep& step,
                                        Place place) const {
  const bool is_first = before.empty() || before.back().engine == Engine::kFrame;
  if (IsFilter(step.engine) && is_first) {
    return Fail(ErrorCode::kInvalidSelector,
                fmt::format("{} filters what a step before it found", EngineName(step.engine)));
  }
  if (step.engine == Engine::kFrame && (place == Place::kNested || !is_first)) {
    return Fail(ErrorCode::kInvalidSelector,
                "frame may stand only at the front, before the steps that name elements");
  }
  return {};
}

Result<Engine> SelectorParser::StepEngine() {
  const std::string_view rest = scan_.rest();
  if (rest.starts_with("//") || rest.starts_with("(//") || rest.starts_with("..")) {
    return Engine::kXpath;
  }
  if (rest.starts_with('"') || rest.starts_with('\'')) return Engine::kText;
  SelectorScan ahead = scan_;
  const std::string_view word = ahead.Word();
  if (word.empty() || !ahead.Take("=")) return Engine::kCss;
  const std::optional<Engine> engine = EngineNamed(word);
  if (!engine) {
    return scan_.Refuse(
        "no such engine; the engines are css, xpath, text, role, label, placeholder, alt, title, "
        "testid, id, nth, visible, has-text, has, has-not and frame");
  }
  scan_ = ahead;
  return *engine;
}

Result<SelectorStep> SelectorParser::Step() {
  TRY_ASSIGN(const Engine engine, StepEngine());
  SelectorStep step{.engine = engine};
  TRY(Body(step));
  return step;
}

Result<void> SelectorParser::Body(SelectorStep& step) {
  switch (step.engine) {
    case Engine::kCss:
    case Engine::kXpath:
      return AssignTo(step.body.text, NonEmptyCode(step.engine));
    case Engine::kTestId:
    case Engine::kId:
      return AssignTo(step.body.text, Literal());
    case Engine::kRole:
      return AssignTo(step.role, ParseRole(scan_));
    case Engine::kNth:
      return AssignTo(step.index, Index());
    case Engine::kVisible:
      return AssignTo(step.visible, scan_.Flag(scan_.PlainText()));
    case Engine::kHas:
    case Engine::kHasNot:
      return AssignTo(step.nested, Nested());
    case Engine::kFrame:
      return AssignTo(step.nested, FrameBody());
    default:
      return AssignTo(step.body, TextBody());
  }
}

Result<std::string> SelectorParser::NonEmptyCode(Engine engine) {
  scan_.SkipSpaces();
  TRY_ASSIGN(std::string code, scan_.Code(engine));
  if (code.empty()) return scan_.Refuse(fmt::format("{} needs a body", EngineName(engine)));
  return code;
}

Result<TextMatch> SelectorParser::TextBody() {
  scan_.SkipSpaces();
  if (scan_.peek() == '/') return scan_.Regex();
  TextMatch match;
  if (scan_.at_quote()) {
    TRY(AssignTo(match.text, scan_.QuotedText()));
    match.mode = scan_.Take("i") ? TextMode::kSubstring : TextMode::kExact;
  } else {
    match.text = scan_.PlainText();
  }
  if (Trim(match.text).empty()) return scan_.Refuse("the text is empty");
  return match;
}

Result<std::string> SelectorParser::Literal() {
  scan_.SkipSpaces();
  std::string text;
  if (scan_.at_quote()) {
    TRY(AssignTo(text, scan_.QuotedText()));
  } else {
    text = scan_.PlainText();
  }
  if (Trim(text).empty()) return scan_.Refuse("the value is empty");
  return text;
}

Result<int> SelectorParser::Index() {
  const std::size_t start = scan_.position();
  const std::optional<int> index = ParseWhole<int>(scan_.PlainText());
  if (!index || *index > kMaxIndex || *index < -kMaxIndex) {
    return scan_.RefuseAt(start, "nth takes a whole number; the first is 0, the last is -1");
  }
  return *index;
}

Result<Steps> SelectorParser::Nested() {
  const std::size_t start = scan_.position();
  if (!scan_.Take("(")) return scan_.Refuse("expected a selector in parentheses");
  if (scan_.depth() >= kMaxSelectorDepth) return scan_.RefuseAt(start, "nested too deeply");
  scan_.Enter();
  TRY_ASSIGN(Steps steps, Chain(Place::kNested));
  scan_.Leave();
  if (!scan_.Take(")")) return scan_.RefuseAt(start, "the parenthesis is not closed");
  return steps;
}

Result<Steps> SelectorParser::FrameBody() {
  if (scan_.peek() == '(') return Nested();
  SelectorStep step;
  TRY(AssignTo(step.body.text, NonEmptyCode(Engine::kCss)));
  return Steps{std::move(step)};
}

}  // namespace

Result<Selector> ParseSelector(std::string_view text) {
  if (!IsValidUtf8(text) || HasControl(text)) {
    return Fail(ErrorCode::kInvalidSelector, "selector is not plain UTF-8 text");
  }
  if (Utf8Length(text) > kMaxText) {
    return Fail(ErrorCode::kInvalidSelector,
                fmt::format("selector is longer than {} characters", kMaxText));
  }
  return SelectorParser(text).Parse();
}

}  // namespace falconer::model
