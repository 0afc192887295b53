#include "policy/rules/fact_questions.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/text.h"
#include "policy/rules/fold_text.h"

namespace falconer::policy {
namespace {

bool IsHostGlobCharacter(char c) {
  return IsLower(c) || IsDigit(c) || std::string_view("-.*?_[]:").contains(c);
}

Result<std::string> ReadHostGlob(const Spot& spot) {
  TRY_ASSIGN(std::string text, ReadText(spot));
  if (!std::ranges::all_of(text, IsHostGlobCharacter)) {
    return spot.Refuse(
        fmt::format("the glob \"{}\" can match no host: lower-case letters, digits, "
                    "'-', '.', '*' and '?' are allowed",
                    text));
  }
  return text;
}

// A text to compare with, in the form of the fact.
Result<std::string> ReadOperand(const Spot& spot, TextForm form) {
  TRY_ASSIGN(std::string text, ReadText(spot));
  if (form == TextForm::kExact) return text;
  std::string folded = FoldText(text);
  if (folded.empty()) return spot.Refuse("is empty");
  return folded;
}

Result<std::vector<std::string>> ReadOperands(const Spot& spot, TextForm form) {
  TRY_ASSIGN(std::vector<std::string> texts, ReadTextOrTexts(spot));
  if (form == TextForm::kExact) return texts;
  for (std::string& text : texts) text = FoldText(text);
  return texts;
}

Result<std::string> ReadGlob(const Spot& spot, TextForm form) {
  TRY_ASSIGN(std::string glob, ReadOperand(spot, form));
  const std::size_t last = glob.find_last_not_of('\\');
  const std::size_t backslashes = glob.size() - (last == glob.npos ? 0 : last + 1);
  if (backslashes % 2 == 1) return spot.Refuse("the glob ends with a lone \\");
  return glob;
}

Result<model::Pattern> ReadRegex(const Spot& spot) {
  TRY_ASSIGN(const std::string text, ReadText(spot));
  auto pattern = model::Pattern::Compile(text, model::PatternMode::kRegex);
  if (!pattern) return spot.Refuse(pattern.error().message());
  return *std::move(pattern);
}

}  // namespace

Condition Ask(const Spot& spot, Question question) {
  return {.kind = Condition::Kind::kQuestion,
          .children = {},
          .question = std::move(question),
          .path = spot.path};
}

Result<std::vector<HostPattern>> ReadHostPatterns(const Spot& spot) {
  TRY_ASSIGN(const std::vector<std::string> texts, ReadTextOrTexts(spot));
  std::vector<HostPattern> patterns;
  for (const std::string& text : texts) {
    auto pattern = HostPattern::Parse(text);
    if (!pattern) return spot.Refuse(pattern.error().message());
    patterns.push_back(*std::move(pattern));
  }
  return patterns;
}

Result<Condition> ReadHost(const Spot& spot, HostFact fact) {
  HostQuestion question{.fact = fact};
  if (!spot.is_map()) {
    TRY_ASSIGN(question.in, ReadHostPatterns(spot));
    return Ask(spot, std::move(question));
  }
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  if (const auto among = in.Optional("in")) {
    TRY_ASSIGN(question.in, ReadHostPatterns(*among));
  }
  if (const auto others = in.Optional("not_in")) {
    TRY_ASSIGN(question.not_in, ReadHostPatterns(*others));
  }
  if (const auto glob = in.Optional("matches")) {
    TRY_ASSIGN(question.matches, ReadHostGlob(*glob));
  }
  TRY(in.Done());
  return Ask(spot, std::move(question));
}

Result<Condition> ReadTextQuestion(const Spot& spot, TextFact fact) {
  const TextForm form = RowOf(fact).form;
  TextQuestion question{.fact = fact};
  if (!spot.is_map()) {
    TRY_ASSIGN(question.in, ReadOperands(spot, form));
    return Ask(spot, std::move(question));
  }
  TRY_ASSIGN(MapReader in, MapReader::Open(spot));
  if (const auto among = in.Optional("in")) {
    TRY_ASSIGN(question.in, ReadOperands(*among, form));
  }
  if (const auto others = in.Optional("not_in")) {
    TRY_ASSIGN(question.not_in, ReadOperands(*others, form));
  }
  if (const auto part = in.Optional("contains")) {
    TRY_ASSIGN(question.contains, ReadOperand(*part, form));
  }
  if (const auto glob = in.Optional("matches")) {
    TRY_ASSIGN(question.matches, ReadGlob(*glob, form));
  }
  if (const auto regex = in.Optional("regex")) {
    TRY_ASSIGN(question.regex, ReadRegex(*regex));
  }
  TRY(in.Done());
  return Ask(spot, std::move(question));
}

}  // namespace falconer::policy
