// What addresses say that they do.

#include <algorithm>
#include <string>

#include "model/text.h"
#include "model/url.h"
#include "policy/risk/request_body.h"
#include "policy/risk/risk_findings.h"

namespace falconer::policy {
namespace {

// A part of a path with more words than this is a title.
constexpr std::size_t kMaxCommandWords = 3;
constexpr std::size_t kJudgedSegments = 4;  // from the end

// Parts of paths below which there are texts to read.
constexpr std::string_view kTextSections[] = {
    "help",  "docs",    "doc",     "documentation", "blog",   "blogs",    "article",   "articles",
    "news",  "wiki",    "support", "faq",           "faqs",   "learn",    "guide",     "guides",
    "kb",    "tag",     "tags",    "topic",         "topics", "category", "questions", "question",
    "story", "stories", "forum",   "search",        "manual", "tutorial", "tutorials", "hilfe",
    "aide",  "ayuda",   "ajuda",   "artikel",
};

// Parameters whose value is a command.
constexpr std::string_view kCommandNames[] = {"action",  "act",     "do",   "op",    "cmd",
                                              "command", "_method", "task", "event", "operation"};

// Asked with GET, these are more than a page to look at.
constexpr MeaningSet kEffectiveByGet = {Meaning::kDelete, Meaning::kRemove, Meaning::kLogOut,
                                        Meaning::kCancel, Meaning::kPurchase};

MeaningSet Keep(MeaningSet from, MeaningSet kept) {
  return from - (from - kept);
}

bool IsReadOnly(std::string_view method) {
  return method == "GET" || method == "HEAD" || method.empty();
}

std::vector<std::string_view> SegmentsOf(std::string_view path) {
  std::vector<std::string_view> segments;
  while (!path.empty()) {
    const std::size_t slash = std::min(path.find('/'), path.size());
    if (slash > 0) segments.push_back(path.substr(0, slash));
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return segments;
}

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

bool IsPlainFile(std::string_view path) {
  return std::ranges::any_of(kFileEndings,
                             [&](std::string_view ending) { return path.ends_with(ending); });
}

bool IsTextSection(std::string_view segment) {
  const std::string word = model::ToLower(segment);
  return std::ranges::find(kTextSections, word) != std::end(kTextSections);
}

// What is asked for with GET is done by the last part, or by the one before an id.
std::size_t CommandSegments(const std::vector<std::string_view>& segments) {
  const bool ends_with_id =
      segments.size() > 1 && std::ranges::any_of(segments.back(), model::IsDigit);
  return ends_with_id ? 2 : 1;
}

MeaningSet MeaningsOfQuery(std::string_view url) {
  const std::size_t question = url.find('?');
  if (question == url.npos) return {};
  const std::string_view query = url.substr(question + 1, url.find('#') - question - 1);
  MeaningSet found;
  for (const BodyField& field : ReadUrlEncoded(query)) {
    const std::string name = model::ToLower(field.name);
    const bool is_command = std::ranges::find(kCommandNames, name) != std::end(kCommandNames);
    const Words words = IdentifierWords(is_command ? field.value : field.name);
    // "?delete=5" and "?action=delete"; "?q=how+to+delete" is neither.
    if (words.size() > kMaxCommandWords) continue;
    if (is_command || words.size() == 1) found = found | MeaningsOf(words);
  }
  return found;
}

}  // namespace

MeaningSet MeaningsOfTarget(std::string_view method, std::string_view url) {
  const std::string path = PercentDecoded(model::SplitUrl(url).path);
  std::vector<std::string_view> segments = SegmentsOf(path);
  const bool only_reads = IsReadOnly(method);
  const bool is_to_read = IsPlainFile(path) || std::ranges::any_of(segments, IsTextSection);
  if (only_reads && is_to_read) return {};
  const std::size_t judged = only_reads ? CommandSegments(segments) : kJudgedSegments;
  if (segments.size() > judged) {
    segments.erase(segments.begin(), segments.end() - static_cast<std::ptrdiff_t>(judged));
  }
  MeaningSet found = MeaningsOfQuery(url);
  for (const std::string_view segment : segments) {
    const Words words = IdentifierWords(WithoutEnding(segment));
    if (words.size() <= kMaxCommandWords) found = found | MeaningsOf(words);
  }
  return only_reads ? Keep(found, kEffectiveByGet) : found;
}

}  // namespace falconer::policy
