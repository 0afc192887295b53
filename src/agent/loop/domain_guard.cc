#include "agent/loop/domain_guard.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "model/url.h"
#include "policy/web_place.h"

namespace falconer::agent {
namespace {

bool NamesUrl(std::string_view key) {
  const std::string name = ToLower(key);
  return name == "url" || name == "urls" || name.ends_with("_url");
}

Error DomainDenied(std::string_view url) {
  const model::UrlParts parts = model::SplitUrl(url);
  const std::string what = parts.host.empty() ? "an address without a host" : parts.host;
  return {ErrorCode::kPolicyDenied,
          what + " is not among the domains of this run",
          {{"reason", "run_domain"}, {"host", parts.host}}};
}

}  // namespace

Result<DomainGuard> DomainGuard::Of(const RunConfig& config) {
  DomainGuard guard;
  for (const auto* list : {&config.house_domains, &config.allowed_domains}) {
    Patterns patterns;
    for (const std::string& text : *list) {
      TRY_ASSIGN(auto pattern, policy::HostPattern::Parse(text));
      patterns.push_back(std::move(pattern));
    }
    if (!patterns.empty()) guard.lists_.push_back(std::move(patterns));
  }
  return guard;
}

Result<void> DomainGuard::Check(const json::object& arguments) const {
  if (lists_.empty()) return {};
  for (const auto& [key, value] : arguments) TRY(CheckValue(key, value));
  return {};
}

Result<void> DomainGuard::CheckValue(std::string_view key, const json::value& value) const {
  if (const auto* object = value.if_object()) return Check(*object);
  if (const auto* array = value.if_array()) {
    for (const json::value& one : *array) TRY(CheckValue(key, one));
    return {};
  }
  if (!value.is_string() || !NamesUrl(key)) return {};
  return CheckUrl(value.get_string());
}

Result<void> DomainGuard::CheckUrl(std::string_view url) const {
  const std::string_view trimmed = Trim(url);
  if (trimmed.empty() || trimmed == model::kBlankUrl) return {};
  // Tools take addresses without a scheme for https.
  const std::string whole =
      trimmed.contains("://") ? std::string(trimmed) : "https://" + std::string(trimmed);
  const auto place = policy::WebPlaceOf(whole);
  if (!place) return Fail(DomainDenied(whole));
  for (const Patterns& list : lists_) {
    const bool is_in = std::ranges::any_of(list, [&](const policy::HostPattern& pattern) {
      return pattern.Matches(place->host, place->port);
    });
    if (!is_in) return Fail(DomainDenied(whole));
  }
  return {};
}

}  // namespace falconer::agent
