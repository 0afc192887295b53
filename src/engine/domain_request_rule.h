#pragma once
// DomainRequestRule: the domain rules of a policy, asked about every request of a session.

#include <memory>
#include <vector>

#include "browser/network/request_rule.h"
#include "policy/domain_rules.h"

namespace falconer::engine {

class DomainRequestRule : public browser::RequestRule {
 public:
  // `rules` are those that `config` makes.
  DomainRequestRule(policy::DomainRules rules, const policy::DomainConfig& config);

  browser::RequestVerdict Decide(const browser::RequestFacts& facts) override;
  // Addresses are all it looks at.
  bool WantsContent(const browser::RequestFacts& /*facts*/) const override { return false; }
  bool MayHold() const override { return false; }
  // The lists for connections as patterns. Addresses that are not public are kept away as far as
  // patterns can name them; a name that leads to one is not seen here.
  std::vector<browser::SocketRule> SocketRules() const override { return socket_rules_; }

 private:
  policy::DomainRules rules_;
  std::vector<browser::SocketRule> socket_rules_;
};

// The configuration that the settings policy.allow_domains, policy.deny_domains and
// policy.connect_domains say. Connections follow the first two when the third is empty.
policy::DomainConfig DomainConfigFrom(std::vector<std::string> allow, std::vector<std::string> deny,
                                      std::vector<std::string> connect);

}  // namespace falconer::engine
