#include "agent/crawl/robots_rules.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "base/hex.h"
#include "base/percent.h"
#include "base/text.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kRobotsFileMark = "\xEF\xBB\xBF";
constexpr std::string_view kRobotsPath = "/robots.txt";
constexpr std::size_t kMostRobotsRules = 10'000;
constexpr std::size_t kMostNamedSitemaps = 100;
constexpr double kLongestDelay = 86'400;

bool IsUnreservedOctet(std::uint8_t byte) {
  const char c = static_cast<char>(byte);
  return IsLetterOrDigit(c) || c == '-' || c == '_' || c == '.' || c == '~';
}

std::string EscapedOctet(std::uint8_t byte) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  return {'%', kDigits[byte >> 4U], kDigits[byte & 15U]};
}

// The octets of a path in one form: what may stand for itself does, what is no ASCII is escaped.
std::string OneOctetForm(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto escape = LeadingEscape(path.substr(i));
    if (escape) i += 2;
    const auto byte = static_cast<std::uint8_t>(path[i]);
    if (escape) {
      out += IsUnreservedOctet(*escape) ? std::string(1, static_cast<char>(*escape))
                                        : EscapedOctet(*escape);
    } else {
      out += byte < 0x80 && byte > 0x20 ? std::string(1, path[i]) : EscapedOctet(byte);
    }
  }
  return out;
}

// Whether the pattern, in which "*" stands for anything and a "$" at the end for the end, matches
// the beginning of the path. Each star takes as little as it can, so it takes time in proportion.
bool PathMatches(std::string_view pattern, std::string_view path) {
  const bool is_whole = pattern.ends_with('$');
  if (is_whole) pattern.remove_suffix(1);
  std::size_t p = 0;
  std::size_t at = 0;
  std::optional<std::pair<std::size_t, std::size_t>> star;
  while (p < pattern.size() || (is_whole && at < path.size())) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = {++p, at};
    } else if (p < pattern.size() && at < path.size() && pattern[p] == path[at]) {
      ++p;
      ++at;
    } else if (star && star->second < path.size()) {
      p = star->first;
      at = ++star->second;
    } else {
      return false;
    }
  }
  return true;
}

std::string_view ProductToken(std::string_view value) {
  const auto* const end =
      std::ranges::find_if_not(value, [](char c) { return IsLetter(c) || c == '_' || c == '-'; });
  return value.substr(0, static_cast<std::size_t>(end - value.begin()));
}

std::optional<std::chrono::milliseconds> CrawlDelayIn(std::string_view value) {
  const std::string text(value);
  char* end = nullptr;
  const double seconds = std::strtod(text.c_str(), &end);
  if (end == text.c_str() || !std::isfinite(seconds) || seconds < 0) return std::nullopt;
  return std::chrono::milliseconds(
      static_cast<std::int64_t>(std::min(seconds, kLongestDelay) * 1000));
}

}  // namespace

// Reads line by line, and keeps the rules of the groups for the name apart from those for all.
class RobotsRules::Reader {
 public:
  explicit Reader(std::string_view name) : name_(name) {}

  void Take(std::string_view line) {
    line = Trim(line.substr(0, line.find('#')));
    const std::size_t colon = line.find(':');
    if (colon == line.npos) return;
    const std::string key = ToLower(Trim(line.substr(0, colon)));
    const std::string_view value = Trim(line.substr(colon + 1));
    if (key == "user-agent") return Begin(value);
    if (key == "sitemap") return NoteSitemap(value);
    if (key == "allow" || key == "disallow") {
      NoteRule(key == "allow", value);
    } else if (key == "crawl-delay") {
      NoteDelay(value);
    }
  }

  RobotsRules Finish() {
    RobotsRules found = has_own_ ? std::move(own_) : std::move(everybody_);
    found.sitemaps_ = std::move(sitemaps_);
    return found;
  }

 private:
  // Lines that name crawlers one after another begin one group together.
  void Begin(std::string_view value) {
    if (has_rules_) is_own_ = is_for_all_ = has_rules_ = false;
    const bool is_own = !name_.empty() && IsSameWord(ProductToken(value), name_);
    is_own_ = is_own_ || is_own;
    has_own_ = has_own_ || is_own;
    is_for_all_ = is_for_all_ || value == "*";
  }

  template <typename Note>
  void InGroup(Note note) {
    has_rules_ = true;
    if (is_own_) note(own_);
    if (is_for_all_) note(everybody_);
  }

  void NoteRule(bool allows, std::string_view value) {
    InGroup([&](RobotsRules& rules) {
      // One without a path says nothing.
      if (value.empty() || rules.rules_.size() >= kMostRobotsRules) return;
      rules.rules_.push_back({.allows = allows, .pattern = OneOctetForm(value)});
    });
  }

  void NoteDelay(std::string_view value) {
    InGroup([&](RobotsRules& rules) {
      if (const auto delay = CrawlDelayIn(value)) rules.crawl_delay_ = delay;
    });
  }

  void NoteSitemap(std::string_view value) {
    if (!value.empty() && sitemaps_.size() < kMostNamedSitemaps) sitemaps_.emplace_back(value);
  }

  std::string_view name_;
  bool is_own_ = false;
  bool is_for_all_ = false;
  bool has_rules_ = false;
  bool has_own_ = false;
  RobotsRules own_;
  RobotsRules everybody_;
  std::vector<std::string> sitemaps_;
};

RobotsRules RobotsRules::Parse(std::string_view text, std::string_view name) {
  text = text.substr(0, kMostRobotsBytes);
  if (text.starts_with(kRobotsFileMark)) text.remove_prefix(kRobotsFileMark.size());
  Reader reader(ProductToken(name));
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of("\r\n"), text.size());
    reader.Take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.Finish();
}

RobotsRules RobotsRules::DisallowAll() {
  RobotsRules rules;
  rules.rules_.push_back({.allows = false, .pattern = "/"});
  return rules;
}

bool RobotsRules::Allows(std::string_view path) const {
  const std::string form = OneOctetForm(path);
  if (form == kRobotsPath) return true;
  const Rule* best = nullptr;
  for (const Rule& rule : rules_) {
    if (!PathMatches(rule.pattern, form)) continue;
    const bool is_longer = best == nullptr || rule.pattern.size() > best->pattern.size();
    const bool is_kinder =
        best != nullptr && rule.pattern.size() == best->pattern.size() && rule.allows;
    if (is_longer || is_kinder) best = &rule;
  }
  return best == nullptr || best->allows;
}

}  // namespace falconer::agent
