#include "engine/domain_request_rule.h"

#include <algorithm>
#include <span>
#include <utility>

#include "policy/host_name.h"

namespace falconer::engine {
namespace {

using browser::RequestUse;
using browser::SocketRule;
using policy::UseKind;
using SocketEffect = SocketRule::Effect;

struct SocketUseRow {
  RequestUse request;
  UseKind policy;
};

constexpr SocketUseRow kSocketUses[] = {
    {RequestUse::kNavigation, UseKind::kNavigate}, {RequestUse::kRedirect, UseKind::kRedirect},
    {RequestUse::kFrame, UseKind::kFrame},         {RequestUse::kPopup, UseKind::kPopup},
    {RequestUse::kSubresource, UseKind::kConnect}, {RequestUse::kDownload, UseKind::kDownload},
};

constexpr std::string_view kEverything = "*";
// "*" allows public hosts only. Names that are never public come first; addresses cannot be told
// apart by a pattern, so none is allowed that is not named: they end with a digit or a bracket,
// names of hosts with a letter.
constexpr std::string_view kNotPublic[] = {"localhost", "*.localhost", "*.local", "*.internal"};
constexpr std::string_view kLastOfName = "abcdefghijklmnopqrstuvwxyz";

UseKind UseOf(RequestUse use) {
  return std::ranges::find(kSocketUses, use, &SocketUseRow::request)->policy;
}

// "host", "host:port", "*.host" or "*" as the host and port of a URL pattern.
std::string PlaceOf(std::string_view text) {
  const auto bracket = text.rfind(']');
  const auto colon = text.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  const std::string_view port = has_port ? text.substr(colon + 1) : kEverything;
  std::string_view host = text.substr(0, has_port ? colon : text.size());
  std::string stars;
  if (host.starts_with("*.")) {
    stars = "*.";
    host.remove_prefix(2);
  }
  // The browser compares A-labels.
  const auto parsed = policy::ParseHost(host);
  return stars + (parsed ? parsed->text : std::string(host)) + ":" + std::string(port);
}

// The browser's patterns do not match one IPv6 address: denying one denies them all.
std::string DeniedPlace(std::string_view text) {
  return text.starts_with('[') ? "[*]:*" : PlaceOf(text);
}

void AddRules(std::string_view place, SocketEffect effect, std::vector<SocketRule>& rules) {
  for (const std::string_view scheme : {"ws://", "wss://"}) {
    rules.push_back({std::string(scheme) + std::string(place) + "/*", effect});
  }
}

// Deny wins; then hosts that are meant in person; then "*".
std::vector<SocketRule> SocketRulesOf(const policy::HostLists& lists) {
  std::vector<SocketRule> rules;
  for (const std::string& text : lists.deny)
    AddRules(DeniedPlace(text), SocketEffect::kRefuse, rules);
  for (const std::string& text : lists.allow) {
    if (text != kEverything) AddRules(PlaceOf(text), SocketEffect::kAllow, rules);
  }
  if (std::ranges::find(lists.allow, kEverything) != lists.allow.end()) {
    for (const std::string_view host : kNotPublic) {
      AddRules(std::string(host) + ":*", SocketEffect::kRefuse, rules);
    }
    for (const char last : kLastOfName) {
      AddRules(std::string("*") + last + ":*", SocketEffect::kAllow, rules);
    }
  }
  return rules;
}

}  // namespace

DomainRequestRule::DomainRequestRule(policy::DomainRules rules,
                                     std::vector<SocketRule> socket_rules)
    : rules_(std::move(rules)), socket_rules_(std::move(socket_rules)) {
}

Result<std::shared_ptr<DomainRequestRule>> DomainRequestRule::Create(
    const policy::DomainConfig& config) {
  TRY_ASSIGN(auto rules, policy::DomainRules::Create(config));
  const auto& connect = config.other[std::to_underlying(UseKind::kConnect)];
  return std::shared_ptr<DomainRequestRule>(
      new DomainRequestRule(std::move(rules), SocketRulesOf(connect ? *connect : config.navigate)));
}

browser::RequestVerdict DomainRequestRule::Decide(const browser::RequestFacts& facts) {
  auto verdict = rules_.Decide(UseOf(facts.use), facts.url, facts.initiator_origin);
  using enum browser::RequestVerdict::Effect;
  return {.effect = verdict.allowed ? kAllow : kRefuse,
          .rule = std::move(verdict.rule),
          .reason = std::move(verdict.reason)};
}

policy::DomainConfig DomainConfigFrom(std::vector<std::string> allow, std::vector<std::string> deny,
                                      std::vector<std::string> connect) {
  policy::DomainConfig config;
  if (!connect.empty()) {
    config.other[std::to_underlying(UseKind::kConnect)] =
        policy::HostLists{.allow = std::move(connect), .deny = deny};
  }
  config.navigate = {.allow = std::move(allow), .deny = std::move(deny)};
  return config;
}

}  // namespace falconer::engine
