#include "agent/crawl/normalized_url.h"

#include <algorithm>
#include <map>

#include "base/hex.h"
#include "base/percent.h"
#include "base/text.h"
#include "model/url.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kCounting[] = {"gclid",  "fbclid", "msclkid", "dclid",  "gbraid",
                                          "wbraid", "mc_cid", "mc_eid",  "igshid", "yclid"};
constexpr std::string_view kCountingPrefix = "utm_";

struct DefaultPort {
  std::string_view scheme;
  std::string_view port;
};
constexpr DefaultPort kDefaultPorts[] = {{"http", "80"}, {"https", "443"}};

bool IsDefaultPort(const model::UrlParts& parts) {
  return std::ranges::any_of(kDefaultPorts, [&](const DefaultPort& row) {
    return row.scheme == parts.scheme && row.port == parts.port;
  });
}

bool OnlyCounts(std::string_view parameter) {
  const std::string name = ToLower(parameter.substr(0, parameter.find('=')));
  return name.starts_with(kCountingPrefix) ||
         std::ranges::find(kCounting, name) != std::end(kCounting);
}

std::string WithUpperEscapes(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_escape = LeadingEscape(text.substr(i)).has_value();
    out += text[i];
    if (!is_escape) continue;
    out += UpperOf(text[i + 1]);
    out += UpperOf(text[i + 2]);
    i += 2;
  }
  return out;
}

// Those of one name mean something by their order.
std::string SortedQuery(std::string_view query) {
  std::multimap<std::string_view, std::string_view> parameters;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view one = query.substr(0, end);
    if (!one.empty() && !OnlyCounts(one)) parameters.emplace(one.substr(0, one.find('=')), one);
    query.remove_prefix(std::min(end + 1, query.size()));
  }
  std::string sorted;
  for (const auto& [name, one] : parameters)
    sorted += (sorted.empty() ? '?' : '&') + std::string(one);
  return sorted;
}

std::string_view QueryOf(std::string_view url) {
  url = url.substr(0, url.find('#'));
  const std::size_t mark = url.find('?');
  return mark == url.npos ? std::string_view() : url.substr(mark + 1);
}

}  // namespace

std::string HostAndPortOf(std::string_view url) {
  const model::UrlParts parts = model::SplitUrl(url);
  const bool has_port = !parts.port.empty() && !IsDefaultPort(parts);
  return has_port ? parts.host + ":" + parts.port : parts.host;
}

std::string OriginOf(std::string_view url) {
  return model::SplitUrl(url).scheme + "://" + HostAndPortOf(url);
}

std::string PathAndQueryOf(std::string_view url) {
  const std::string path = model::SplitUrl(url).path;
  const std::string_view query = QueryOf(url);
  return (path.empty() ? "/" : path) + (query.empty() ? "" : "?" + std::string(query));
}

std::string NormalizedUrl(std::string_view url) {
  const std::string path = model::SplitUrl(url).path;
  return OriginOf(url) + WithUpperEscapes((path.empty() ? "/" : path) + SortedQuery(QueryOf(url)));
}

}  // namespace falconer::agent
