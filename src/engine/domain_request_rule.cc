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

struct UseRow {
  RequestUse request;
  UseKind policy;
};

constexpr UseRow kUses[] = {
    {RequestUse::kNavigation, UseKind::kNavigate}, {RequestUse::kRedirect, UseKind::kRedirect},
    {RequestUse::kFrame, UseKind::kFrame},         {RequestUse::kPopup, UseKind::kPopup},
    {RequestUse::kSubresource, UseKind::kConnect}, {RequestUse::kDownload, UseKind::kDownload},
};

constexpr std::string_view kEverything = "*";
constexpr std::string_view kEveryLongAddress = "[*]:*";
// Addresses end with a digit or a bracket, names of hosts with a letter.
constexpr std::string_view kLastOfAddress = "0123456789";
constexpr std::string_view kLastOfName = "abcdefghijklmnopqrstuvwxyz";

UseKind UseOf(RequestUse use) {
  return std::ranges::find(kUses, use, &UseRow::request)->policy;
}

struct SocketPlace {
  std::string_view host;  // as the pattern has it
  std::string_view port;  // "*" for any
};

SocketPlace SplitPlace(std::string_view text) {
  const auto bracket = text.rfind(']');
  const auto colon = text.rfind(':');
  const bool has_port =
      colon != std::string_view::npos && (bracket == std::string_view::npos || colon > bracket);
  if (!has_port) return {text, kEverything};
  return {text.substr(0, colon), text.substr(colon + 1)};
}

// The host and port of a URL pattern, for "host" and "*.host".
std::string PatternOf(SocketPlace place) {
  std::string stars;
  if (place.host.starts_with("*.")) {
    stars = "*.";
    place.host.remove_prefix(2);
  }
  // The browser compares A-labels.
  const auto parsed = policy::ParseHost(place.host);
  return stars + (parsed ? parsed->text : std::string(place.host)) + ":" + std::string(place.port);
}

class SocketRuleList {
 public:
  void Refuse(std::string_view place) { Add(place, SocketEffect::kRefuse); }
  void Allow(std::string_view place) { Add(place, SocketEffect::kAllow); }

  // Every public host. Names that are never public come first, names without a dot are left out;
  // addresses cannot be told apart by a pattern, so none is allowed that is not named.
  void AllowPublic(std::string_view port) {
    for (const policy::PrivateName& name : policy::kPrivateNames) {
      Refuse(std::string(name.suffix) + ":*");
      Refuse("*." + std::string(name.suffix) + ":*");
    }
    for (const char last : kLastOfName) Allow(std::string("*.*") + last + ":" + std::string(port));
  }

  // The browser's patterns match neither a network nor one IPv6 address: denying one denies all
  // addresses that it may be among.
  void RefuseDenied(const std::string& text) {
    const SocketPlace place = SplitPlace(text);
    if (const auto network = policy::ParseNetwork(place.host)) return RefuseAddresses(*network);
    const std::string pattern = PatternOf(place);
    if (place.host.starts_with('[')) Refuse(kEveryLongAddress);
    if (!pattern.starts_with('[')) Refuse(pattern);
  }

  std::vector<SocketRule> Take() && { return std::move(rules_); }

 private:
  void RefuseAddresses(const policy::IpNetwork& network) {
    if (network.start.family == policy::IpAddress::Family::kV6) return Refuse(kEveryLongAddress);
    for (const char last : kLastOfAddress) Refuse(std::string("*") + last + ":*");
  }

  void Add(std::string_view place, SocketEffect effect) {
    for (const std::string_view scheme : {"ws://", "wss://"}) {
      rules_.push_back({std::string(scheme) + std::string(place) + "/*", effect});
    }
  }

  std::vector<SocketRule> rules_;
};

// Deny wins; then hosts that are meant in person; then "*".
std::vector<SocketRule> SocketRulesOf(const policy::HostLists& lists) {
  SocketRuleList rules;
  for (const std::string& text : lists.deny) rules.RefuseDenied(text);
  for (const std::string& text : lists.allow) {
    const SocketPlace place = SplitPlace(text);
    const bool is_one = place.host != kEverything && !place.host.contains('/');
    if (is_one) rules.Allow(PatternOf(place));
  }
  for (const std::string& text : lists.allow) {
    const SocketPlace place = SplitPlace(text);
    if (place.host == kEverything) rules.AllowPublic(place.port);
  }
  return std::move(rules).Take();
}

}  // namespace

DomainRequestRule::DomainRequestRule(policy::DomainRules rules, const policy::DomainConfig& config)
    : rules_(std::move(rules)) {
  const auto& connect = config.other[std::to_underlying(UseKind::kConnect)];
  socket_rules_ = SocketRulesOf(connect ? *connect : config.navigate);
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
