// PagePattern: which page an address is, without what is different each time.

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "base/text.h"
#include "model/default_port.h"
#include "model/url.h"
#include "predict/signature.h"
#include "predict/typed_text.h"

namespace falconer::predict {
namespace {

constexpr std::size_t kMaxPatternParts = 16;
constexpr std::size_t kMaxPatternNames = 16;
constexpr std::size_t kMaxPatternPart = 64;
// So many digits are a number of something; "v2" and "web3" are names.
constexpr std::ptrdiff_t kIdDigits = 4;
// So long, letters and digits mixed are no word.
constexpr std::size_t kMixedId = 12;
// So long, and with letters of both cases inside, it was made by a machine.
constexpr std::size_t kScrambledId = 16;
constexpr std::string_view kPlainSigns = "-_.~";

bool IsPlainSign(char c) {
  return IsLetterOrDigit(c) || kPlainSigns.contains(c);
}

// Numbers, digests, tokens; and whatever is written in escapes or with signs, as texts are that
// somebody typed.
bool LooksLikeId(std::string_view part) {
  if (part.size() > kMaxPatternPart || !std::ranges::all_of(part, IsPlainSign)) return true;
  const auto digits = std::ranges::count_if(part, IsDigit);
  const auto letters = std::ranges::count_if(part, IsLetter);
  if (digits > 0 && letters == 0) return true;
  if (digits >= kIdDigits || (digits > 0 && part.size() >= kMixedId)) return true;
  return part.size() >= kScrambledId && !part.contains('-') &&
         std::ranges::any_of(part.substr(1), IsUpper) && std::ranges::any_of(part, IsLower);
}

std::string PartPattern(std::string_view part, std::span<const std::string> typed) {
  if (LooksLikeId(part)) return "*";
  // Sites write the words of a text with hyphens.
  std::string words(part);
  std::ranges::replace_if(words, [](char c) { return kPlainSigns.contains(c); }, ' ');
  const bool repeats = !PlacesOf(typed, words).empty() || !PlacesOf(typed, part).empty();
  return repeats ? "*" : std::string(part);
}

std::string PathPattern(std::string_view path, std::span<const std::string> typed) {
  std::string out;
  std::size_t parts = 0;
  while (path.starts_with('/')) {
    path.remove_prefix(1);
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size());
    if (++parts > kMaxPatternParts) return out + "/**";
    out += "/" + (part.empty() ? "" : PartPattern(part, typed));
  }
  return out.empty() ? "/" : out;
}

// A parameter without a value may be the value of something.
std::string NamePattern(std::string_view parameter, std::span<const std::string> typed) {
  const std::size_t equals = parameter.find('=');
  if (equals == parameter.npos) return "*";
  return PartPattern(parameter.substr(0, equals), typed);
}

std::string QueryPattern(std::string_view url, std::span<const std::string> typed) {
  url = url.substr(0, url.find('#'));
  const std::size_t mark = url.find('?');
  std::string_view query = mark == url.npos ? std::string_view() : url.substr(mark + 1);
  std::set<std::string> names;
  while (!query.empty() && names.size() < kMaxPatternNames) {
    const std::string_view parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(parameter.size() + 1, query.size()));
    if (!parameter.empty()) names.insert(NamePattern(parameter, typed));
  }
  return names.empty() ? "" : fmt::format("?{}", fmt::join(names, "&"));
}

}  // namespace

std::string PagePattern(std::string_view url, std::span<const std::string> typed) {
  const model::UrlParts parts = model::SplitUrl(url);
  const bool is_web = parts.scheme == "http" || parts.scheme == "https";
  if (!is_web || parts.host.empty()) return "";
  const bool is_usual =
      parts.port.empty() || parts.port == std::to_string(model::DefaultPort(parts.scheme));
  return fmt::format("{}://{}{}{}{}{}", parts.scheme, parts.host, is_usual ? "" : ":",
                     is_usual ? "" : parts.port, PathPattern(parts.path, typed),
                     QueryPattern(url, typed));
}

}  // namespace falconer::predict
