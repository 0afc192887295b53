#include "predict/workflows/workflow_differences.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "base/text.h"
#include "predict/workflows/template_text.h"

namespace falconer::predict {
namespace {

using Kind = TemplatePart::Kind;

bool IsPartOfWord(char c) {
  return IsLetterOrDigit(c) || static_cast<unsigned char>(c) >= 0x80;
}

// Words, single signs and parameters.
std::vector<std::string> PiecesOf(std::string_view text) {
  std::vector<std::string> pieces;
  for (const TemplatePart& part : TemplateOf(text)) {
    if (part.kind == Kind::kParameter) {
      pieces.push_back("{" + part.text + "}");
      continue;
    }
    std::string_view rest = part.text;
    while (!rest.empty()) {
      const auto* const end = std::ranges::find_if_not(rest, IsPartOfWord);
      const auto size = std::max<std::size_t>(static_cast<std::size_t>(end - rest.begin()), 1);
      pieces.push_back(TemplateLiteral(rest.substr(0, size)));
      rest.remove_prefix(size);
    }
  }
  return pieces;
}

std::string JoinPieces(std::span<const std::string> pieces) {
  std::string out;
  for (const std::string& piece : pieces) out += piece;
  return out;
}

bool HasWord(std::span<const std::string> pieces) {
  return std::ranges::any_of(pieces,
                             [](const std::string& piece) { return IsPartOfWord(piece.front()); });
}

// The name when the template is one parameter and nothing else.
std::string OnlyParameter(std::string_view text) {
  const TemplateParts parts = TemplateOf(text);
  return parts.size() == 1 && parts[0].kind == Kind::kParameter ? parts[0].text : "";
}

std::string PlainText(std::string_view text) {
  const TemplateParts parts = TemplateOf(text);
  return parts.size() == 1 ? parts[0].text : "";
}

std::string WithoutNumbers(std::string_view text) {
  std::string out;
  for (const char c : text)
    if (!IsDigit(c)) out += c;
  return out;
}

std::string Whole(std::string_view name) {
  return fmt::format("{{{}}}", name);
}

}  // namespace

WordDifference DifferenceOf(std::string_view left, std::string_view right) {
  const std::vector<std::string> one = PiecesOf(left);
  const std::vector<std::string> other = PiecesOf(right);
  const std::size_t most = std::min(one.size(), other.size());
  std::size_t head = 0;
  while (head < most && one[head] == other[head]) ++head;
  std::size_t tail = 0;
  while (tail < most - head && one[one.size() - 1 - tail] == other[other.size() - 1 - tail]) ++tail;
  const std::span<const std::string> all(one);
  const auto before = all.first(head);
  const auto after = all.last(tail);
  return {.before = JoinPieces(before),
          .left = JoinPieces(all.subspan(head, one.size() - head - tail)),
          .right = JoinPieces(std::span(other).subspan(head, other.size() - head - tail)),
          .after = JoinPieces(after),
          .has_common_word = HasWord(before) || HasWord(after)};
}

bool DifferInNumbers(std::string_view left, std::string_view right) {
  const std::string plain = WithoutNumbers(left);
  return left != right && plain == WithoutNumbers(right) && std::ranges::any_of(plain, IsLetter) &&
         std::ranges::any_of(left, IsDigit) && std::ranges::any_of(right, IsDigit);
}

WorkflowDifferences::WorkflowDifferences(const LearnedWorkflow& left,
                                         const LearnedWorkflow& right) {
  for (const WorkflowParameter& one : left.parameters) names_.Take(one.name);
  for (const WorkflowParameter& one : right.parameters)
    if (!names_.Has(one.name)) names_.Take(one.name);
}

std::string WorkflowDifferences::Renamed(std::string_view right) const {
  TemplateParts parts = TemplateOf(right);
  for (TemplatePart& part : parts) {
    if (part.kind != Kind::kParameter) continue;
    if (const auto found = renamed_.find(part.text); found != renamed_.end())
      part.text = found->second;
  }
  return TemplateText(parts);
}

std::optional<std::string> WorkflowDifferences::Joined(const WordDifference& difference,
                                                       const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  return difference.before + Whole(*name) + difference.after;
}

// The parameter that one side has where the other has a text, or another name for it.
std::optional<std::string> WorkflowDifferences::Resolve(const WordDifference& difference) {
  const std::string left = OnlyParameter(difference.left);
  const std::string right = OnlyParameter(difference.right);
  if (!left.empty() && !right.empty()) {
    if (renamed_.contains(right)) return std::nullopt;
    renamed_.emplace(right, left);
    return std::optional(left);
  }
  const std::string plain = PlainText(left.empty() ? difference.left : difference.right);
  if ((left.empty() && right.empty()) || plain.empty()) return std::nullopt;
  // A parameter is one text at a time.
  RecordedTexts& side = left.empty() ? left_ : right_;
  const std::string& name = left.empty() ? right : left;
  if (const std::string_view text = side.TextOf(name); !text.empty() && text != plain)
    return std::nullopt;
  side.Add(plain, name);
  return name;
}

std::optional<std::string> WorkflowDifferences::Same(std::string_view left,
                                                     std::string_view right) const {
  if (left == right) return std::string(left);
  std::string one = left_.MoreText(left);
  if (one != right_.MoreText(Renamed(right))) return std::nullopt;
  return one;
}

std::optional<std::string> WorkflowDifferences::Known(std::string_view left,
                                                      std::string_view right) {
  if (auto same = Same(left, right)) return same;
  const std::string one = left_.MoreText(left);
  const std::string other = right_.MoreText(Renamed(right));
  const WordDifference difference = DifferenceOf(one, other);
  if (difference.left.empty() || difference.right.empty()) return std::nullopt;
  return Joined(difference, Resolve(difference));
}

std::optional<std::string> WorkflowDifferences::KnownOrNew(std::string_view left,
                                                           std::string_view right,
                                                           const NewDifference& wanted) {
  if (auto known = Known(left, right)) return known;
  WordDifference difference = DifferenceOf(left_.MoreText(left), right_.MoreText(Renamed(right)));
  if (wanted.is_whole) difference = {.left = std::string(left), .right = Renamed(right)};
  const std::string one = PlainText(difference.left);
  const std::string other = PlainText(difference.right);
  const bool is_plain = !one.empty() && !other.empty() && OnlyParameter(difference.left).empty() &&
                        OnlyParameter(difference.right).empty();
  if (!is_plain) return std::nullopt;
  const std::string name = names_.Take(wanted.name);
  found_.push_back({.name = name, .about = wanted.about});
  left_.Add(one, name);
  right_.Add(other, name);
  return Joined(difference, name);
}

}  // namespace falconer::predict
