#pragma once
// PolicyEgressRule: the domain rules of the policy, asked at the egress proxy. A host is let out
// when any set of the rules allows it. Where its name leads is checked address by address:
//
//   a public address                                        yes
//   an address that the rules name                          yes
//   a private network (10.0.0.0/8, fd00::/8, 100.64.0.0/10) for a host that is named in person
//   everything else: loopback, link-local, metadata, ...    no, also for a host that is named
//
// So a host that somebody else runs cannot lead to this machine, whatever its name server says.

#include <utility>

#include "net/egress/egress_rule.h"
#include "policy/domain_rules.h"

namespace falconer::app {

class PolicyEgressRule final : public net::EgressRule {
 public:
  explicit PolicyEgressRule(policy::DomainRules rules) : rules_(std::move(rules)) {}

  net::EgressVerdict DecideHost(const net::EgressAsk& ask) override;
  net::EgressVerdict DecideAddress(const net::EgressAsk& ask,
                                   const boost::asio::ip::address& address) override;

 private:
  const policy::DomainRules rules_;
};

}  // namespace falconer::app
