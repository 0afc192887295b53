// What addresses say that they do.

#include <algorithm>
#include <span>
#include <string>

#include "base/percent.h"
#include "base/text.h"
#include "model/network.h"
#include "model/url.h"
#include "policy/body/request_body.h"
#include "policy/risk/risk_findings.h"

namespace falconer::policy {
namespace {

// A part of a path with more words than this is a title.
constexpr std::size_t kMaxCommandWords = 3;

// Parts of paths below which there are texts to read.
constexpr std::string_view kTextSections[] = {
    "help",  "docs",    "doc",     "documentation", "blog",   "blogs",    "article",   "articles",
    "news",  "wiki",    "support", "faq",           "faqs",   "learn",    "guide",     "guides",
    "kb",    "tag",     "tags",    "topic",         "topics", "category", "questions", "question",
    "story", "stories", "forum",   "search",        "manual", "tutorial", "tutorials", "hilfe",
    "aide",  "ayuda",   "ajuda",   "artikel",
};

// Parameters whose value is a command.
constexpr std::string_view kCommandNames[] = {"action",  "act",     "do",   "op",       "cmd",
                                              "command", "_method", "task", "operation"};
// One more, except of pictures: those that count say by it what has happened.
constexpr std::string_view kEventName = "event";

// Asked with GET, these are more than a page to look at.
constexpr MeaningSet kEffectiveByGet = {Meaning::kDelete, Meaning::kRemove, Meaning::kLogOut,
                                        Meaning::kCancel, Meaning::kPurchase};

MeaningSet Keep(MeaningSet from, MeaningSet kept) {
  return from - (from - kept);
}

// The parts of a text between any of these characters, without the empty ones.
std::vector<std::string_view> SplitAtAny(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// "items:batchDelete", "delete;x=1", "Items(5)": the names of one segment.
constexpr std::string_view kBetweenNames = ";:,()=";

// "delete.php", "index.html": what is before the ending of a file.
std::string_view WithoutEnding(std::string_view segment) {
  const std::size_t dot = segment.rfind('.');
  const bool is_ending = dot != segment.npos && dot > 0 && segment.size() - dot <= 6;
  return is_ending ? segment.substr(0, dot) : segment;
}

// A picture, a style or a font is what its name says.
constexpr std::string_view kFileEndings[] = {".png",  ".jpg",   ".jpeg", ".gif", ".webp", ".avif",
                                             ".svg",  ".ico",   ".css",  ".js",  ".mjs",  ".map",
                                             ".woff", ".woff2", ".ttf",  ".mp4", ".webm", ".mp3"};

// What follows a ";" is a parameter, and no file's name.
bool IsPlainFile(std::string_view segment) {
  const std::string_view name = segment.substr(0, segment.find(';'));
  return std::ranges::any_of(kFileEndings,
                             [&](std::string_view ending) { return name.ends_with(ending); });
}

bool IsTextSection(std::string_view segment) {
  const std::string word = ToLower(segment);
  return std::ranges::find(kTextSections, word) != std::end(kTextSections);
}

// What is asked for with GET is done by the last part, or by the one before an id.
std::size_t CommandSegments(const std::vector<std::string_view>& segments) {
  const bool ends_with_id = segments.size() > 1 && std::ranges::any_of(segments.back(), IsDigit);
  return ends_with_id ? 2 : 1;
}

// How a name is read.
using NameReader = MeaningSet(const Words&);

enum class QueryOf : std::uint8_t { kAnywhere, kPlainFile };

bool IsCommandName(std::string_view name, QueryOf place) {
  if (name == kEventName) return place != QueryOf::kPlainFile;
  return std::ranges::find(kCommandNames, name) != std::end(kCommandNames);
}

MeaningSet MeaningsOfQuery(std::string_view url, NameReader read, QueryOf place) {
  MeaningSet found;
  for (const BodyField& field : QueryFields(url)) {
    const bool is_command = IsCommandName(ToLower(field.name), place);
    const Words words = IdentifierWords(is_command ? field.value : field.name);
    // "?delete=5" and "?action=delete"; "?q=how+to+delete" is neither.
    if (words.size() > kMaxCommandWords) continue;
    if (is_command || words.size() == 1) found = found | read(words);
  }
  return found;
}

MeaningSet MeaningsOfSegments(std::span<const std::string_view> segments, NameReader read) {
  MeaningSet found;
  for (const std::string_view segment : segments) {
    for (const std::string_view name : SplitAtAny(segment, kBetweenNames)) {
      if (IdentifierWords(WithoutEnding(name)).size() > kMaxCommandWords) continue;
      found = found | read(IdentifierWords(name));
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> PathSegments(std::string_view url) {
  const std::string path = PercentDecoded(model::SplitUrl(url).path);
  std::vector<std::string> segments;
  for (const std::string_view segment : SplitAtAny(path, "/")) segments.emplace_back(segment);
  return segments;
}

std::vector<BodyField> QueryFields(std::string_view url) {
  const std::size_t question = url.find('?');
  if (question == url.npos) return {};
  return ReadUrlEncoded(url.substr(question + 1, url.find('#') - question - 1));
}

MeaningSet MeaningsOfTarget(std::string_view method, std::string_view url) {
  const std::string path = PercentDecoded(model::SplitUrl(url).path);
  const std::vector<std::string_view> segments = SplitAtAny(path, "/");
  // Whatever changes something is told by each of its parts: no part can make another mean less.
  if (!model::IsSafeMethod(method)) {
    return MeaningsOfQuery(url, CommandsIn, QueryOf::kAnywhere) |
           MeaningsOfSegments(segments, CommandsIn);
  }
  const bool is_file = !segments.empty() && IsPlainFile(segments.back());
  const QueryOf place = is_file ? QueryOf::kPlainFile : QueryOf::kAnywhere;
  const MeaningSet asked = Keep(MeaningsOfQuery(url, MeaningsOf, place), kEffectiveByGet);
  if (is_file || std::ranges::any_of(segments, IsTextSection)) return asked;
  const auto last = std::span(segments).last(std::min(CommandSegments(segments), segments.size()));
  return asked | Keep(MeaningsOfSegments(last, MeaningsOf), kEffectiveByGet);
}

}  // namespace falconer::policy
