#include "base/settings/setting_bindings.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "base/text.h"

namespace falconer {

std::optional<bool> ParseFlag(std::string_view text) {
  constexpr EnumName<bool> kFlags[] = {{true, "true"}, {true, "yes"},    {true, "on"},
                                       {true, "1"},    {false, "false"}, {false, "no"},
                                       {false, "off"}, {false, "0"}};
  return ValueIn(kFlags, text);
}

std::optional<double> ParseFraction(std::string_view text) {
  double value = 0;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool is_whole = failed == std::errc() && end == text.data() + text.size();
  if (!is_whole || !(value >= 0 && value <= 1)) return std::nullopt;
  return value;
}

std::optional<std::vector<std::string>> ParseWords(std::string_view text) {
  std::vector<std::string> words;
  if (text.starts_with('[')) {
    const Result<json::value> list = ParseJson(text);
    if (!list || !list->is_array()) return std::nullopt;
    for (const json::value& word : list->get_array()) {
      if (!word.is_string()) return std::nullopt;
      words.emplace_back(word.get_string());
    }
    return words;
  }
  constexpr std::string_view kSpace = " \t\n";
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
    if (text.empty()) return words;
    words.emplace_back(text.substr(0, text.find_first_of(kSpace)));
    text.remove_prefix(words.back().size());
  }
}

std::optional<json::array> ParseRecords(std::string_view text) {
  Result<json::value> list = ParseJson(text);
  if (!list || !list->is_array()) return std::nullopt;
  const json::array& records = list->get_array();
  if (!std::ranges::all_of(records, [](const json::value& one) { return one.is_object(); }))
    return std::nullopt;
  return std::move(list->get_array());
}

bool IsDebuggerAddress(std::string_view text) {
  constexpr std::string_view kSchemes[] = {"http://", "ws://"};
  constexpr std::int64_t kMaxPort = 65'535;
  const auto* scheme =
      std::ranges::find_if(kSchemes, [&](auto prefix) { return text.starts_with(prefix); });
  if (scheme == std::end(kSchemes)) return false;
  text.remove_prefix(scheme->size());
  const std::string_view host = text.substr(0, text.find_first_of("/?#"));
  // The colons inside an IPv6 address belong to no port.
  const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
  if (host.empty() || bracket == std::string_view::npos) return false;
  const std::size_t colon = host.find(':', bracket);
  if (colon == std::string_view::npos) return true;
  const std::optional<std::int64_t> port = ParseWhole(host.substr(colon + 1));
  return colon > 0 && port && *port > 0 && *port <= kMaxPort;
}

json::object PlainSchema(std::string_view type) {
  return {{"type", type}};
}

json::object NumberSchema(std::int64_t min, std::int64_t max) {
  return {{"type", "integer"}, {"minimum", min}, {"maximum", max}};
}

json::object UnitSchema(std::string_view pattern, std::int64_t min, std::int64_t max) {
  return {
      {"type", {"string", "integer"}}, {"pattern", pattern}, {"minimum", min}, {"maximum", max}};
}

std::filesystem::path ExpandHome(std::string_view text) {
  if (!text.starts_with("~/")) return text;
  const char* home = std::getenv("HOME");  // NOLINT(concurrency-mt-unsafe): nothing here sets it
  return home == nullptr ? std::filesystem::path(text)
                         : std::filesystem::path(home) / text.substr(2);
}

}  // namespace falconer
