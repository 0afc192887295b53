#include "engine/control/connect_judge.h"

#include <utility>

#include "browser/network/request_rule.h"
#include "policy/host_name.h"
#include "policy/risk/risk.h"
#include "policy/web_place.h"

namespace falconer::engine {
namespace {

using policy::Effect;
using policy::RuleSet;

// More than a page has. When there are more, those that go on are let again one by one.
constexpr std::size_t kMostLet = 4096;

std::string DoorKey(const std::string& host, std::uint16_t port) {
  const auto parsed = policy::ParseHost(host);
  return (parsed ? parsed->text : host) + ":" + std::to_string(port);
}

// "" for what goes to no host.
std::string DoorKeyOf(const std::string& url) {
  const auto place = policy::WebPlaceOf(url);
  return place ? DoorKey(place->host.text, place->port) : "";
}

// A tunnel is asked about as the least that may go through it. Nothing has stopped on its way here,
// so it is a socket as far as anybody can tell.
model::RequestFacts RequestAt(const browser::EgressPlace& place) {
  model::RequestFacts request;
  request.method = place.method.empty() ? "GET" : place.method;
  request.url = place.scheme + "://" + place.host + ":" + std::to_string(place.port) + "/";
  request.resource_type = place.scheme == "http" ? "other" : "websocket";
  return request;
}

browser::EgressOpinion OpinionOf(const policy::PolicyDecision& decision) {
  // Nobody can be asked about what cannot be held.
  const bool needs_yes = decision.outcome == Effect::kRequireApproval;
  if (!needs_yes && decision.outcome != Effect::kDeny) return {};
  return {.is_allowed = false,
          .rule = decision.rule,
          .reason = needs_yes ? "approval_needed" : "policy_denied"};
}

}  // namespace

void ConnectJudge::Govern(const ControlGrounds& grounds) {
  const std::lock_guard lock(mutex_);
  const std::string_view before = policy_ ? std::string_view(policy_->digest) : "";
  const std::string_view now = grounds.policy ? std::string_view(grounds.policy->digest) : "";
  if (before != now) let_.clear();
  policy_ = grounds.policy;
  facts_ = {.tenant = grounds.asker.tenant.value(),
            .agent = grounds.asker.agent_id,
            .agent_tier = grounds.token ? grounds.token->token.claims.tier : ""};
  facts_.began = grounds.began;
  facts_.action = grounds.action.type;
}

void ConnectJudge::Let(const std::string& url) {
  const std::lock_guard lock(mutex_);
  if (!policy_) return;
  std::string key = DoorKeyOf(url);
  if (key.empty()) return;
  if (let_.size() >= kMostLet) let_.clear();
  let_.insert(std::move(key));
}

browser::EgressOpinion ConnectJudge::Judge(const browser::EgressPlace& place) const {
  std::unique_lock lock(mutex_);
  if (!policy_ || let_.contains(DoorKey(place.host, place.port))) return {};
  const auto policy = policy_;
  model::PolicyFacts facts = facts_;
  lock.unlock();
  facts.now = clock_.WallNow();
  facts.request = RequestAt(place);
  facts.url = facts.request->url;
  policy::AddTo(facts,
                policy::AssessRisk(
                    {.action = std::nullopt, .element = std::nullopt, .request = facts.request}));
  auto opinion = OpinionOf(policy->policy.Decide(RuleSet::kConnect, facts));
  if (!opinion.is_allowed || browser::IsSafeMethod(facts.request->method)) return opinion;
  return OpinionOf(policy->policy.Decide(RuleSet::kActions, facts));
}

}  // namespace falconer::engine
