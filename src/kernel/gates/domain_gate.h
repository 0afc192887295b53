#pragma once
// DomainGate: may the action go where it wants to, and act where it is? The network asks the same
// rules again for every request; this refuses early and with a better answer.

#include <memory>
#include <string>

#include "kernel/gates/gate.h"
#include "policy/domain_rules.h"

namespace falconer::kernel {

// Where the rules of a tenant come from: the server's configuration, never the caller.
class DomainRulesSource {
 public:
  virtual ~DomainRulesSource() = default;
  // Never null; a tenant without rules gets rules that allow nothing.
  virtual std::shared_ptr<const policy::DomainRules> RulesFor(const TenantId& tenant) const = 0;
};

// Where the action is and where it wants to go.
struct DomainFacts {
  std::string navigate_url;  // "" when the action opens no address
  std::string page_url;      // "" before there is a page
  std::string rules;         // the digest of the rules that were asked

  // Addresses longer than kMaxFactUrl are cut, and said to be.
  json::object ToJson() const;
  // kNotFound when an address was cut, kInvalidArgument for what ToJson never writes.
  static Result<DomainFacts> FromJson(const json::object& object);
};

inline constexpr std::size_t kMaxFactUrl = 4096;

// The gate's verdict without its facts.
Verdict DecideDomain(const policy::DomainRules& rules, const DomainFacts& facts);

class DomainGate final : public Gate {
 public:
  // The source must outlive this.
  explicit DomainGate(const DomainRulesSource& source) : source_(source) {}
  std::string_view name() const override { return "domain"; }
  Task<Verdict> Check(CallContext ctx, const GateInput* input) override;

 private:
  const DomainRulesSource& source_;
};

}  // namespace falconer::kernel
