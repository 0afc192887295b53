#include "policy/rules/rule_index.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <optional>
#include <utility>

namespace falconer::policy {
namespace {

constexpr std::uint32_t kEveryCapability = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t kEveryAction = std::numeric_limits<std::uint64_t>::max();
constexpr unsigned kNoActionBit = 63;

// The host that a pattern names or is below of; nothing for one that covers all hosts.
std::optional<std::string> HostKey(const HostPattern& pattern) {
  std::string_view text = pattern.text();
  if (text.starts_with("*.")) text.remove_prefix(2);
  const std::size_t bracket = text.rfind(']');
  const std::size_t colon = text.find(':', bracket == text.npos ? 0 : bracket);
  text = text.substr(0, colon);
  if (text == "*") return std::nullopt;
  const Result<Host> host = ParseHost(text);
  if (!host) return std::nullopt;
  return host->text;
}

using HostKeys = std::optional<std::vector<std::string>>;

HostKeys KeysOfQuestion(const Condition& condition) {
  const auto* question = std::get_if<HostQuestion>(&condition.question);
  if (question == nullptr || question->fact != HostFact::kDomain || question->in.empty()) {
    return std::nullopt;
  }
  std::vector<std::string> keys;
  for (const HostPattern& pattern : question->in) {
    std::optional<std::string> key = HostKey(pattern);
    if (!key) return std::nullopt;
    keys.push_back(*std::move(key));
  }
  return keys;
}

// Hosts without which the condition is false; nothing when it can be true anywhere.
HostKeys KeysOfCondition(const Condition& condition) {
  if (condition.kind == Condition::Kind::kQuestion) return KeysOfQuestion(condition);
  if (condition.kind == Condition::Kind::kAll) {
    for (const Condition& child : condition.children) {
      if (HostKeys keys = KeysOfCondition(child)) return keys;
    }
    return std::nullopt;
  }
  if (condition.kind != Condition::Kind::kAny) return std::nullopt;
  std::vector<std::string> keys;
  for (const Condition& child : condition.children) {
    const HostKeys more = KeysOfCondition(child);
    if (!more) return std::nullopt;
    keys.insert(keys.end(), more->begin(), more->end());
  }
  return keys;
}

}  // namespace

RuleIndex::Reach RuleIndex::ReachOf(const Condition& condition) {
  Reach reach{kEveryCapability, kEveryAction, false};
  switch (condition.kind) {
    case Condition::Kind::kQuestion:
      if (const auto* asked = std::get_if<CapabilityQuestion>(&condition.question)) {
        reach.capabilities = asked->among.bits();
        reach.asks_capability = true;
      } else if (const auto* actions = std::get_if<ActionQuestion>(&condition.question)) {
        reach.actions = actions->among;
      }
      return reach;
    case Condition::Kind::kAll:
      for (const Condition& child : condition.children) {
        const Reach part = ReachOf(child);
        reach.capabilities &= part.capabilities;
        reach.actions &= part.actions;
        reach.asks_capability |= part.asks_capability;
      }
      return reach;
    case Condition::Kind::kAny:
      reach = {0, 0, false};
      for (const Condition& child : condition.children) {
        const Reach part = ReachOf(child);
        reach.capabilities |= part.capabilities;
        reach.actions |= part.actions;
        reach.asks_capability |= part.asks_capability;
      }
      return reach;
    case Condition::Kind::kNot:
      reach.asks_capability = ReachOf(condition.children.front()).asks_capability;
      return reach;
    case Condition::Kind::kAlways:
      return reach;
  }
  std::unreachable();
}

RuleIndex::RuleIndex(const std::vector<Rule>& rules) {
  for (std::uint32_t i = 0; i < rules.size(); ++i) {
    const Condition& when = rules[i].when;
    reaches_.push_back(ReachOf(when));
    HostKeys keys = KeysOfCondition(when);
    if (!keys) {
      everywhere_.push_back(i);
      continue;
    }
    std::ranges::sort(*keys);
    keys->erase(std::ranges::unique(*keys).begin(), keys->end());
    for (const std::string& key : *keys) by_host_[key].push_back(i);
  }
}

std::vector<std::uint32_t> RuleIndex::ForDomain(FactView& facts) const {
  const HostView& host = facts.HostOf(HostFact::kDomain);
  if (host.state == HostView::State::kUnreadable) {
    // Every question about it is open.
    std::vector<std::uint32_t> all(reaches_.size());
    std::iota(all.begin(), all.end(), 0U);
    return all;
  }
  std::vector<std::uint32_t> found = everywhere_;
  std::string_view rest = host.host.text;
  while (!rest.empty()) {
    if (const auto rules = by_host_.find(rest); rules != by_host_.end()) {
      found.insert(found.end(), rules->second.begin(), rules->second.end());
    }
    const std::size_t dot = rest.find('.');
    rest = dot == rest.npos ? std::string_view() : rest.substr(dot + 1);
  }
  // A rule that names a host and what is above it is found twice.
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

bool RuleIndex::CanMatch(std::uint32_t rule, const FactView& facts) const {
  const Reach& reach = reaches_[rule];
  const auto& action = facts.facts().action;
  const unsigned bit = action ? static_cast<unsigned>(*action) : kNoActionBit;
  return (reach.capabilities >> static_cast<unsigned>(facts.capability()) & 1) != 0 &&
         (reach.actions >> bit & 1) != 0;
}

}  // namespace falconer::policy
