#pragma once
// PolicyEgressRule: the domain rules of the policy, asked at the egress proxy. A host is let out
// when any set of the rules allows it, and whoever governs the session agrees. Where its name leads
// is put to the rules address by address.

#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "browser/network/egress_door.h"
#include "net/egress/egress_rule.h"
#include "policy/domain_rules.h"

namespace falconer::app {

class PolicyEgressRule final : public net::EgressRule {
 public:
  explicit PolicyEgressRule(policy::DomainRules rules) : rules_(std::move(rules)) {}

  net::EgressVerdict DecideHost(const net::EgressAsk& ask) override;
  net::EgressVerdict DecideAddress(const net::EgressAsk& ask,
                                   const boost::asio::ip::address& address) override;

  // Who is asked beside the rules, from now on. On any thread.
  void Govern(const SessionId& session, std::shared_ptr<const browser::EgressJudge> judge);
  void Forget(const SessionId& session);

 private:
  std::shared_ptr<const browser::EgressJudge> JudgeOf(const SessionId& session);

  const policy::DomainRules rules_;
  std::mutex mutex_;  // guards the rest
  std::map<SessionId, std::shared_ptr<const browser::EgressJudge>> judges_;
};

}  // namespace falconer::app
