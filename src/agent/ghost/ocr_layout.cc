#include "agent/ghost/ocr_layout.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace falconer::agent {
namespace {

using Boxes = std::vector<OcrWord>;

// In heights of a word. Between words of one sentence there is less than a channel.
constexpr double kChannelWidth = 1.6;
// So far below the rest of a column nothing belongs to it any more.
constexpr double kColumnEnd = 3;
// Lines of a paragraph are not farther apart than this many times what is usual.
constexpr double kParagraphPitch = 1.35;
constexpr std::size_t kSentenceWords = 4;
constexpr double kMostlySentences = 0.5;
constexpr double kMostlyAligned = 0.8;
constexpr int kDeepest = 6;

double RightOf(const OcrWord& word) {
  return word.box.x + word.box.width;
}
double BottomOf(const OcrWord& word) {
  return word.box.y + word.box.height;
}
double MiddleOf(const OcrWord& word) {
  return word.box.y + word.box.height / 2;
}

// The value below which this share of them lies.
double ShareOf(std::vector<double> values, double share) {
  if (values.empty()) return 1;
  const auto at =
      values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::ranges::nth_element(values, at);
  return std::max(*at, 1.0);
}

double UsualHeight(const Boxes& words) {
  std::vector<double> heights;
  for (const OcrWord& word : words) heights.push_back(word.box.height);
  return ShareOf(std::move(heights), 0.5);
}

// Words that stand on one line, from left to right.
std::vector<Boxes> LinesOf(Boxes words) {
  std::ranges::sort(words, {}, MiddleOf);
  std::vector<Boxes> lines;
  for (OcrWord& word : words) {
    const bool goes_on = !lines.empty() && std::ranges::any_of(lines.back(), [&](const OcrWord& o) {
      return (MiddleOf(word) > o.box.y && MiddleOf(word) < BottomOf(o)) &&
             (MiddleOf(o) > word.box.y && MiddleOf(o) < BottomOf(word));
    });
    if (!goes_on) lines.emplace_back();
    lines.back().push_back(std::move(word));
  }
  for (Boxes& line : lines)
    std::ranges::sort(line, {}, [](const OcrWord& word) { return word.box.x; });
  return lines;
}

// A strip from top to bottom in which nothing stands.
struct Channel {
  double left = 0;
  double right = 0;
  double width() const { return right - left; }
};

std::vector<Channel> ChannelsOf(Boxes words, double least) {
  std::ranges::sort(words, {}, [](const OcrWord& word) { return word.box.x; });
  std::vector<Channel> channels;
  double reached = words.front().box.x;
  for (const OcrWord& word : words) {
    if (word.box.x - reached >= least) channels.push_back({reached, word.box.x});
    reached = std::max(reached, RightOf(word));
  }
  return channels;
}

std::vector<Channel> Common(const std::vector<Channel>& some, const std::vector<Channel>& others,
                            double least) {
  std::vector<Channel> common;
  for (const Channel& a : some) {
    for (const Channel& b : others) {
      const Channel both{std::max(a.left, b.left), std::min(a.right, b.right)};
      if (both.width() >= least) common.push_back(both);
    }
  }
  return common;
}

// The channels that these words leave free.
std::vector<Channel> LeftFree(const std::vector<Channel>& channels, const Boxes& words,
                              double least) {
  std::vector<Channel> free;
  for (Channel channel : channels) {
    for (const OcrWord& word : words) {
      const bool is_left = RightOf(word) <= (channel.left + channel.right) / 2;
      if (is_left) {
        channel.left = std::max(channel.left, RightOf(word));
      } else {
        channel.right = std::min(channel.right, word.box.x);
      }
    }
    if (channel.width() >= least) free.push_back(channel);
  }
  return free;
}

// What stands between two strips from left to right in which nothing stands; several of those
// together when the same channels go through all of them.
struct Band {
  Boxes words;
  std::vector<Channel> channels;
  double bottom = 0;
};

std::vector<Band> BandsOf(Boxes words, double least) {
  std::ranges::sort(words, {}, [](const OcrWord& word) { return word.box.y; });
  std::vector<Band> bands;
  for (OcrWord& word : words) {
    if (bands.empty() || word.box.y >= bands.back().bottom) bands.emplace_back();
    bands.back().bottom = std::max(bands.back().bottom, BottomOf(word));
    bands.back().words.push_back(std::move(word));
  }
  for (Band& band : bands) band.channels = ChannelsOf(band.words, least);
  return bands;
}

// The channels that are left when the band is put below the group; none when it does not belong
// there.
std::vector<Channel> Joined(const Band& group, const Band& band, double height) {
  const double least = kChannelWidth * height;
  const double top = band.words.front().box.y;
  if (group.channels.empty() || top - group.bottom > kColumnEnd * height) return {};
  if (!band.channels.empty()) return Common(group.channels, band.channels, least);
  return LeftFree(group.channels, band.words, least);
}

std::vector<Band> GroupsOf(Boxes words, double height) {
  std::vector<Band> groups;
  for (Band& band : BandsOf(std::move(words), kChannelWidth * height)) {
    auto left = groups.empty() ? std::vector<Channel>() : Joined(groups.back(), band, height);
    const bool both_plain =
        !groups.empty() && groups.back().channels.empty() && band.channels.empty();
    if (left.empty() && !both_plain) {
      groups.push_back(std::move(band));
      continue;
    }
    Band& group = groups.back();
    group.channels = std::move(left);
    group.bottom = std::max(group.bottom, band.bottom);
    for (OcrWord& word : band.words) group.words.push_back(std::move(word));
  }
  return groups;
}

std::vector<Boxes> ColumnsOf(const Band& group) {
  std::vector<Boxes> columns(group.channels.size() + 1);
  for (const OcrWord& word : group.words) {
    const auto before = std::ranges::count_if(group.channels, [&](const Channel& channel) {
      return channel.right <= word.box.x + word.box.width / 2;
    });
    columns[static_cast<std::size_t>(before)].push_back(word);
  }
  std::erase_if(columns, [](const Boxes& column) { return column.empty(); });
  return columns;
}

// Most words stand in lines that are long enough for sentences.
bool IsProse(const Boxes& column) {
  std::size_t in_sentences = 0;
  for (const Boxes& line : LinesOf(column))
    if (line.size() >= kSentenceWords) in_sentences += line.size();
  return static_cast<double>(in_sentences) >= kMostlySentences * static_cast<double>(column.size());
}

// Most lines of the one stand beside a line of the other.
bool IsAligned(const Boxes& one, const Boxes& other) {
  auto few = LinesOf(one);
  auto many = LinesOf(other);
  if (few.size() > many.size()) std::swap(few, many);
  const auto beside = std::ranges::count_if(few, [&](const Boxes& line) {
    return std::ranges::any_of(many, [&](const Boxes& there) {
      return std::abs(MiddleOf(line.front()) - MiddleOf(there.front())) <
             0.4 * line.front().box.height;
    });
  });
  return static_cast<double>(beside) >= kMostlyAligned * static_cast<double>(few.size());
}

// Whether the columns are read as rows. Columns of sentences never are, though they may stand on
// the same lines.
bool IsTable(const std::vector<Boxes>& columns) {
  if (std::ranges::all_of(columns, IsProse)) return false;
  for (std::size_t i = 1; i < columns.size(); ++i)
    if (!IsAligned(columns[i - 1], columns[i])) return false;
  return true;
}

class Numbering {
 public:
  // Lines of one block; where they are farther apart than usual a paragraph begins.
  void Put(std::vector<Boxes> lines) {
    ++block_;
    std::vector<double> pitches;
    for (std::size_t i = 1; i < lines.size(); ++i)
      pitches.push_back(MiddleOf(lines[i].front()) - MiddleOf(lines[i - 1].front()));
    // Not the middle one: short paragraphs have as many lines that end as lines that go on.
    const double usual = ShareOf(pitches, 0.25);
    int paragraph = 1;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (i > 0 && pitches[i - 1] > kParagraphPitch * usual) ++paragraph;
      for (OcrWord& word : lines[i]) {
        word.block = block_;
        word.paragraph = paragraph;
        word.line = static_cast<int>(i) + 1;
        words_.push_back(std::move(word));
      }
    }
  }
  std::vector<OcrWord> Take() { return std::move(words_); }

 private:
  int block_ = 0;
  std::vector<OcrWord> words_;
};

void Arrange(Boxes words, int depth, Numbering& out) {
  const double height = UsualHeight(words);
  for (Band& group : GroupsOf(std::move(words), height)) {
    const std::vector<Boxes> columns = ColumnsOf(group);
    if (columns.size() < 2 || depth == kDeepest || IsTable(columns)) {
      out.Put(LinesOf(std::move(group.words)));
    } else {
      for (const Boxes& column : columns) Arrange(column, depth + 1, out);
    }
  }
}

}  // namespace

std::vector<OcrWord> InReadingOrder(std::vector<OcrWord> words) {
  if (words.empty()) return words;
  Numbering out;
  Arrange(std::move(words), 0, out);
  return out.Take();
}

}  // namespace falconer::agent
