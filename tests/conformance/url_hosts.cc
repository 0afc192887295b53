#include "tests/conformance/url_hosts.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/file.h"
#include "base/json/json.h"
#include "policy/domain_rules.h"

namespace falconer::test {
namespace {

using policy::DomainRules;
using policy::UseKind;

// What the rules make of a URL.
enum class Sight { kSameHost, kRefused, kOtherHost };

struct Tally {
  Score score;
  int same = 0;
  int refused = 0;
  int repaired = 0;  // same host in the form the browser writes

  void Add(Sight sight, std::string_view url, std::string_view host) {
    ++score.all;
    same += sight == Sight::kSameHost ? 1 : 0;
    refused += sight == Sight::kRefused ? 1 : 0;
    if (sight != Sight::kOtherHost) {
      ++score.right;
      return;
    }
    std::printf("url: wrong: %s is not read as \"%s\"\n", std::string(url).c_str(),
                std::string(host).c_str());
  }
};

UseKind UseOf(std::string_view url) {
  return url.starts_with("ws") ? UseKind::kConnect : UseKind::kNavigate;
}

// Nobody reads such a URL as a place to go to.
bool IsUnread(const policy::DomainVerdict& verdict) {
  return verdict.reason == "invalid_url" || verdict.reason == "scheme_not_allowed";
}

Sight SightOf(std::string_view url, const std::string& host) {
  const auto only_it = DomainRules::Create({.navigate = {.allow = {host}}});
  if (only_it && only_it->Decide(UseOf(url), url, "").allowed) return Sight::kSameHost;
  const auto everything = DomainRules::Create({.navigate = {.allow = {"*"}}});
  return IsUnread(everything->Decide(UseOf(url), url, "")) ? Sight::kRefused : Sight::kOtherHost;
}

// For what a browser does not open, or not as a page from a host.
Sight SightOfNoHost(std::string_view url) {
  const auto everything = DomainRules::Create({.navigate = {.allow = {"*"}}});
  const auto verdict = everything->Decide(UseKind::kNavigate, url, "");
  const bool is_refused = !verdict.allowed || verdict.reason == "empty_page";
  return is_refused ? Sight::kRefused : Sight::kOtherHost;
}

// Half a surrogate pair is no text; browsers read U+FFFD in its place.
std::string WithoutHalfPairs(std::string text) {
  const auto unit_at = [&](std::size_t at) {
    const bool is_escape = at + 6 <= text.size() && text.compare(at, 2, "\\u") == 0;
    return is_escape ? std::strtoul(text.substr(at + 2, 4).c_str(), nullptr, 16) : 0UL;
  };
  for (std::size_t at = text.find("\\u"); at != text.npos; at = text.find("\\u", at + 6)) {
    const unsigned long first = unit_at(at);
    if (first < 0xd800 || first > 0xdfff) continue;
    const unsigned long second = unit_at(at + 6);
    if (first < 0xdc00 && second >= 0xdc00 && second <= 0xdfff) {
      at += 6;
    } else {
      text.replace(at, 6, "\\ufffd");
    }
  }
  return text;
}

bool IsWebProtocol(std::string_view protocol) {
  return protocol == "http:" || protocol == "https:" || protocol == "ws:" || protocol == "wss:";
}

void AddCase(const json::object& fields, Tally& tally) {
  const std::string input(fields.at("input").as_string());
  if (!fields.contains("hostname") || !IsWebProtocol(fields.at("protocol").as_string())) {
    return tally.Add(SightOfNoHost(input), input, "");
  }
  const std::string host(fields.at("hostname").as_string());
  const std::string href(fields.at("href").as_string());
  // As it was written, and as the browser writes it afterwards.
  const Sight written = SightOf(input, host);
  const Sight repaired = SightOf(href, host);
  tally.repaired += repaired == Sight::kSameHost ? 1 : 0;
  tally.Add(repaired == Sight::kOtherHost ? repaired : written, input, host);
}

void AddParsingCases(const std::filesystem::path& file, Tally& tally) {
  const auto text = ReadFile(file);
  if (!text) return;
  const auto cases = ParseJson(WithoutHalfPairs(*text));
  if (!cases || !cases->is_array()) return;
  for (const json::value& row : cases->as_array()) {
    if (row.is_object()) AddCase(row.as_object(), tally);
  }
}

// The hosts of parser_differential.txt in its order, as the URL standard has them; "" for none.
constexpr const char* kDifferentialHosts[] = {
    "127.2.2.2", "127.0.0.1",       "127.2.2.2", "127.0.0.1",  "",         "127.2.2.2",
    "127.2.2.2", "[::ffff:7f00:1]", "",          "[::7f00:1]", "",         "",
    "",          "127.2.2.2",       "127.2.2.2", "",           "",         "",
    "g",         "103oogle",        "127.2.2.2", "127.2.2.2",  "0.0.0.0",  "0.0.0.0",
    "0.0.0.0",   "0.0.0.0",         "127.0.0.1", "127.0.0.1",  "87.1.1.1", "127.2.2.2",
    ""};

std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty() && !line.starts_with('#')) lines.emplace_back(line);
  }
  return lines;
}

void AddDifferentialCases(const std::filesystem::path& file, Tally& tally) {
  const auto text = ReadFile(file);
  if (!text) return;
  const std::vector<std::string> lines = LinesOf(*text);
  for (std::size_t i = 0; i < std::min(lines.size(), std::size(kDifferentialHosts)); ++i) {
    const std::string host = kDifferentialHosts[i];
    tally.Add(host.empty() ? SightOfNoHost(lines[i]) : SightOf(lines[i], host), lines[i], host);
  }
}

}  // namespace

Score UrlHosts(const std::filesystem::path& folder) {
  Tally tally;
  AddParsingCases(folder / "urltestdata.json", tally);
  AddDifferentialCases(folder / "parser_differential.txt", tally);
  std::printf("url: %d read as browsers do (%d once the browser wrote them anew), %d refused\n",
              tally.same, tally.repaired, tally.refused);
  return tally.score;
}

}  // namespace falconer::test
