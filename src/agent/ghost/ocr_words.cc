#include "agent/ghost/ocr_words.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <span>
#include <utility>

#include "base/text.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kTsvHeader = "level\tpage_num\tblock_num";
constexpr std::size_t kTsvColumns = 12;
enum TsvColumn : std::size_t {
  kLevel = 0,
  kBlock = 2,
  kParagraph = 3,
  kLine = 4,
  kLeft = 6,
  kTop = 7,
  kWidth = 8,
  kHeight = 9,
  kConfidence = 10,
  kText = 11,
};
constexpr std::string_view kWordLevel = "5";
// Of what has neither letters nor digits.
constexpr double kSureOfMarks = 60;
// Between words of one sentence there is less than this, in heights of the line.
constexpr double kCellGap = 1.6;
constexpr double kMostIndent = 40;

using TsvRow = std::array<std::string_view, kTsvColumns>;

std::string_view NextTsvPart(std::string_view& left, char end) {
  const std::size_t at = std::min(left.find(end), left.size());
  const std::string_view part = left.substr(0, at);
  left.remove_prefix(std::min(at + 1, left.size()));
  return part;
}

TsvRow SplitRow(std::string_view line) {
  TsvRow row;
  for (std::size_t i = 0; i + 1 < kTsvColumns; ++i) row[i] = NextTsvPart(line, '\t');
  row[kText] = line;
  return row;
}

double NumberAt(const TsvRow& row, TsvColumn column) {
  double value = 0;
  const std::string_view text = row[column];
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

bool SaysSomething(std::string_view text, double confidence) {
  const bool has_word = std::ranges::any_of(text, [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte >= 0x80 || IsDigit(c) || (UpperOf(c) >= 'A' && UpperOf(c) <= 'Z');
  });
  return has_word || confidence >= kSureOfMarks;
}

std::optional<OcrWord> WordIn(const TsvRow& row, double scale) {
  const double confidence = NumberAt(row, kConfidence);
  std::string_view text = row[kText];
  while (text.ends_with('\r') || text.ends_with(' ')) text.remove_suffix(1);
  if (row[kLevel] != kWordLevel || text.empty() || !SaysSomething(text, confidence))
    return std::nullopt;
  return OcrWord{.text = std::string(text),
                 .box = {NumberAt(row, kLeft) / scale, NumberAt(row, kTop) / scale,
                         NumberAt(row, kWidth) / scale, NumberAt(row, kHeight) / scale},
                 .confidence = confidence,
                 .block = static_cast<int>(NumberAt(row, kBlock)),
                 .paragraph = static_cast<int>(NumberAt(row, kParagraph)),
                 .line = static_cast<int>(NumberAt(row, kLine))};
}

using WordSpan = std::span<const OcrWord>;

bool IsSameParagraph(const OcrWord& a, const OcrWord& b) {
  return a.block == b.block && a.paragraph == b.paragraph;
}

bool IsSameLine(const OcrWord& a, const OcrWord& b) {
  return IsSameParagraph(a, b) && a.line == b.line;
}

// The first of the words that belong together.
template <typename Together>
WordSpan Leading(WordSpan words, Together together) {
  const auto end = std::ranges::find_if_not(
      words, [&](const OcrWord& word) { return together(words.front(), word); });
  return words.first(static_cast<std::size_t>(end - words.begin()));
}

// Heights of words differ with their letters; a line is about as high as most of them.
double HeightOf(WordSpan line) {
  std::vector<double> heights;
  for (const OcrWord& word : line) heights.push_back(word.box.height);
  std::ranges::nth_element(heights, heights.begin() + std::ssize(heights) / 2);
  return std::max(heights[heights.size() / 2], 1.0);
}

double LetterWidth(WordSpan line) {
  double width = 0;
  std::size_t letters = 0;
  for (const OcrWord& word : line) {
    width += word.box.width;
    letters += word.text.size();
  }
  return std::max(width / static_cast<double>(std::max(letters, 1UZ)), 1.0);
}

std::string LineText(WordSpan line, double margin) {
  const double height = HeightOf(line);
  const double indent = (line.front().box.x - margin) / LetterWidth(line);
  std::string text;
  if (indent >= 2 && indent <= kMostIndent)
    text.assign(static_cast<std::size_t>(std::lround(indent)), ' ');
  const OcrWord* last = nullptr;
  for (const OcrWord& word : line) {
    if (last != nullptr) {
      const double gap = word.box.x - (last->box.x + last->box.width);
      text += gap > kCellGap * height ? " | " : " ";
    }
    text += word.text;
    last = &word;
  }
  return text;
}

double MarginOf(WordSpan words) {
  double margin = words.front().box.x;
  for (const OcrWord& word : words) margin = std::min(margin, word.box.x);
  return margin;
}

}  // namespace

Result<std::vector<OcrWord>> ParseOcrTsv(std::string_view tsv, double scale) {
  if (!tsv.starts_with(kTsvHeader))
    return Fail(ErrorCode::kExecutionError, "the words of the picture are not a table of words");
  NextTsvPart(tsv, '\n');
  std::vector<OcrWord> words;
  while (!tsv.empty()) {
    if (auto word = WordIn(SplitRow(NextTsvPart(tsv, '\n')), scale))
      words.push_back(*std::move(word));
  }
  return words;
}

std::string LayoutText(const std::vector<OcrWord>& words) {
  std::string text;
  for (WordSpan left = words; !left.empty();) {
    WordSpan paragraph = Leading(left, IsSameParagraph);
    left = left.subspan(paragraph.size());
    const double margin = MarginOf(paragraph);
    if (!text.empty()) text += '\n';
    while (!paragraph.empty()) {
      const WordSpan line = Leading(paragraph, IsSameLine);
      paragraph = paragraph.subspan(line.size());
      text += LineText(line, margin) + '\n';
    }
  }
  return text;
}

json::object ToJson(const OcrWord& word) {
  const auto rounded = [](double value) { return std::round(value * 10) / 10; };
  return {{"text", word.text},
          {"x", rounded(word.box.x)},
          {"y", rounded(word.box.y)},
          {"width", rounded(word.box.width)},
          {"height", rounded(word.box.height)},
          {"confidence", rounded(word.confidence)}};
}

}  // namespace falconer::agent
