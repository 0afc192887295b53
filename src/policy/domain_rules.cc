#include "policy/domain_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>
#include <utility>

#include "base/json/canonical_json.h"
#include "base/sha256.h"
#include "base/text.h"
#include "model/enum_set.h"
#include "model/url.h"
#include "policy/web_place.h"

namespace falconer::policy {
namespace {

using UseSet = model::EnumSet<UseKind>;

constexpr UseSet kEveryUse = {UseKind::kNavigate, UseKind::kConnect, UseKind::kRedirect,
                              UseKind::kFrame,    UseKind::kPopup,   UseKind::kDownload};
// A document of a page's own making shows what the page could show anyway; a top-level one would
// hide where it came from.
constexpr UseSet kWithinPage = {UseKind::kConnect, UseKind::kFrame, UseKind::kDownload};

enum class SchemeRule : std::uint8_t { kHost, kBlob, kInline };

struct SchemeRow {
  std::string_view scheme;
  UseSet uses;
  SchemeRule rule;
};

constexpr SchemeRow kSchemes[] = {
    {"https", kEveryUse, SchemeRule::kHost},         {"http", kEveryUse, SchemeRule::kHost},
    {"wss", {UseKind::kConnect}, SchemeRule::kHost}, {"ws", {UseKind::kConnect}, SchemeRule::kHost},
    {"blob", kWithinPage, SchemeRule::kBlob},        {"data", kWithinPage, SchemeRule::kInline},
};

// Documents that come from nowhere.
struct EmptyPage {
  std::string_view url;
  UseSet uses;
};

constexpr EmptyPage kEmptyPages[] = {
    {model::kBlankUrl, {UseKind::kNavigate, UseKind::kFrame, UseKind::kPopup}},
    {"about:srcdoc", {UseKind::kFrame}},
};

const SchemeRow* SchemeNamed(std::string_view scheme) {
  for (const SchemeRow& row : kSchemes) {
    if (row.scheme == scheme) return &row;
  }
  return nullptr;
}

DomainVerdict Allow(std::string_view rule, std::string_view reason) {
  return {.allowed = true, .rule = std::string(rule), .reason = std::string(reason)};
}

DomainVerdict Deny(std::string_view reason, std::string_view rule = "") {
  return {.allowed = false, .rule = std::string(rule), .reason = std::string(reason)};
}

const HostPattern* FirstMatch(std::span<const HostPattern> patterns, const Host& host,
                              std::uint16_t port) {
  for (const HostPattern& pattern : patterns) {
    if (pattern.Matches(host, port)) return &pattern;
  }
  return nullptr;
}

const HostPattern* FirstNaming(std::span<const HostPattern> patterns, const Host& host,
                               std::uint16_t port) {
  for (const HostPattern& pattern : patterns) {
    if (pattern.Matches(host, port) && pattern.Names(host)) return &pattern;
  }
  return nullptr;
}

HostLists ReadLists(JsonReader& in) {
  return {.allow = in.OptionalStrings("allow").value_or(std::vector<std::string>()),
          .deny = in.OptionalStrings("deny").value_or(std::vector<std::string>())};
}

DomainConfig ReadConfig(JsonReader& in) {
  DomainConfig config;
  for (const auto& [use, name] : kUseKinds) {
    std::optional<HostLists> lists = in.OptionalObject(name, ReadLists);
    if (!lists) continue;
    if (use == UseKind::kNavigate) {
      config.navigate = *std::move(lists);
    } else {
      config.other[static_cast<std::size_t>(use)] = *std::move(lists);
    }
  }
  return config;
}

json::object ListsJson(const HostLists& lists) {
  return {{"allow", json::array(lists.allow.begin(), lists.allow.end())},
          {"deny", json::array(lists.deny.begin(), lists.deny.end())}};
}

json::object ConfigJson(const DomainConfig& config) {
  json::object out{{"navigate", ListsJson(config.navigate)}};
  for (const auto& [use, name] : kUseKinds) {
    const auto& lists = config.other[static_cast<std::size_t>(use)];
    if (lists && use != UseKind::kNavigate) out[name] = ListsJson(*lists);
  }
  return out;
}

// Texts that became patterns have a canonical form: they are host names.
std::string DigestOf(const json::object& content) {
  return Sha256Hex(CanonicalJson(content).value_or(""));
}

}  // namespace

DomainRules::DomainRules() : content_(ConfigJson({})), digest_(DigestOf(content_)) {
}

Result<DomainRules::Lists> DomainRules::Compile(std::string_view use, const HostLists& lists) {
  Lists compiled;
  const std::pair<const std::vector<std::string>*, std::vector<HostPattern>*> both[] = {
      {&lists.allow, &compiled.allow}, {&lists.deny, &compiled.deny}};
  for (const auto& [texts, patterns] : both) {
    for (const std::string& text : *texts) {
      Result<HostPattern> pattern = HostPattern::Parse(text);
      if (!pattern)
        return std::unexpected(std::move(pattern).error().In(fmt::format("domains.{}", use)));
      patterns->push_back(*std::move(pattern));
    }
  }
  return compiled;
}

Result<DomainRules> DomainRules::Create(const DomainConfig& config) {
  DomainRules rules;
  TRY_ASSIGN(rules.navigate_, Compile("navigate", config.navigate));
  for (const auto& [use, name] : kUseKinds) {
    const auto& lists = config.other[static_cast<std::size_t>(use)];
    if (!lists || use == UseKind::kNavigate) continue;
    TRY_ASSIGN(rules.other_[static_cast<std::size_t>(use)], Compile(name, *lists));
  }
  rules.content_ = ConfigJson(config);
  rules.digest_ = DigestOf(rules.content_);
  return rules;
}

Result<DomainRules> DomainRules::Parse(const json::value& value) {
  TRY_ASSIGN(const DomainConfig config, ReadJson(value, "domains", ReadConfig));
  return Create(config);
}

const DomainRules::Lists& DomainRules::ListsOf(UseKind use) const {
  const auto& own = other_[static_cast<std::size_t>(use)];
  return own ? *own : navigate_;
}

DomainVerdict DomainRules::Decide(UseKind use, std::string_view url,
                                  std::string_view initiator) const {
  for (const EmptyPage& page : kEmptyPages) {
    if (url == page.url && page.uses.Contains(use)) return Allow(page.url, "empty_page");
  }
  const std::string scheme = ToLower(url.substr(0, url.find(':')));
  const SchemeRow* row = url.contains(':') ? SchemeNamed(scheme) : nullptr;
  if (row == nullptr || !row->uses.Contains(use)) return Deny("scheme_not_allowed");
  switch (row->rule) {
    case SchemeRule::kHost:
      return DecideWeb(use, url);
    case SchemeRule::kBlob:
      return DecideBlob(use, url);
    case SchemeRule::kInline:
      return DecideInline(initiator);
  }
  std::unreachable();
}

DomainVerdict DomainRules::DecideWeb(UseKind use, std::string_view url) const {
  const SchemeRow* row = SchemeNamed(ToLower(url.substr(0, url.find(':'))));
  if (row == nullptr || row->rule != SchemeRule::kHost) return Deny("scheme_not_allowed");
  const std::optional<WebPlace> place = WebPlaceOf(url);
  if (!place) return Deny("invalid_url");
  return DecideIn(ListsOf(use), place->host, place->port);
}

DomainVerdict DomainRules::DecideIn(const Lists& lists, const Host& host, std::uint16_t port) {
  if (const auto* denied = FirstMatch(lists.deny, host, port)) {
    return Deny("denied_by_rule", denied->text());
  }
  if (lists.allow.empty()) return Deny("nothing_allowed");
  const bool is_public = host.address_class == AddressClass::kPublic;
  const auto find = is_public ? FirstMatch : FirstNaming;
  if (const auto* allowed = find(lists.allow, host, port)) {
    return Allow(allowed->text(), "allowed_by_rule");
  }
  return Deny(is_public ? "no_allow_rule" : "address_not_public");
}

std::vector<const DomainRules::Lists*> DomainRules::EveryList() const {
  std::vector<const Lists*> every{&navigate_};
  for (const std::optional<Lists>& own : other_) {
    if (own) every.push_back(&*own);
  }
  return every;
}

DomainVerdict DomainRules::DecideHost(std::string_view host, std::uint16_t port) const {
  const Result<Host> parsed = ParseHost(host);
  if (!parsed) return Deny("invalid_url");
  std::optional<DomainVerdict> first;
  for (const Lists* lists : EveryList()) {
    DomainVerdict verdict = DecideIn(*lists, *parsed, port);
    if (verdict.allowed) return verdict;
    if (!first) first = std::move(verdict);
  }
  return *std::move(first);
}

DomainVerdict DomainRules::DecideAddress(std::string_view host, std::uint16_t port,
                                         const IpAddress& address) const {
  DomainVerdict verdict = DecideHost(host, port);
  if (!verdict.allowed) return verdict;
  const Host name = *ParseHost(host);
  const Host place = HostOf(address);
  for (const Lists* lists : EveryList()) {
    if (!DecideIn(*lists, name, port).allowed) continue;
    const HostPattern* denied = FirstMatch(lists->deny, place, port);
    verdict =
        denied == nullptr ? Allow("", "allowed_by_rule") : Deny("denied_by_rule", denied->text());
    if (verdict.allowed) break;
  }
  if (!verdict.allowed) return verdict;
  const bool is_public = place.address_class == AddressClass::kPublic;
  if (is_public || MayLeadInside(name, port, place)) return verdict;
  return Deny("address_not_public", NameIn(kAddressClasses, place.address_class));
}

// `host` is allowed, so one that is not public is named.
bool DomainRules::MayLeadInside(const Host& host, std::uint16_t port, const Host& place) const {
  const AddressClass where = place.address_class;
  if (host.address_class == where) return true;
  if (host.address_class == AddressClass::kPrivate && where == AddressClass::kCarrierNat) {
    return true;
  }
  const auto means_host = [&](const HostPattern& pattern) {
    return !pattern.is_all() && pattern.Matches(host, port);
  };
  const auto names_place = [&](const HostPattern& pattern) {
    return pattern.Matches(place, port) && pattern.Names(place);
  };
  const auto has = [this](const auto& is_it) {
    return std::ranges::any_of(
        EveryList(), [&](const Lists* lists) { return std::ranges::any_of(lists->allow, is_it); });
  };
  return has(means_host) && has(names_place);
}

DomainVerdict DomainRules::DecideBlob(UseKind use, std::string_view url) const {
  // "blob:https://host/id" belongs to the origin inside.
  return DecideWeb(use, url.substr(url.find(':') + 1));
}

DomainVerdict DomainRules::DecideInline(std::string_view initiator) const {
  const DomainVerdict page = DecideWeb(UseKind::kNavigate, initiator);
  if (page.allowed) return Allow(page.rule, "inline_of_allowed_page");
  return Deny("initiator_not_allowed", page.rule);
}

}  // namespace falconer::policy
