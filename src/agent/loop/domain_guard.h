#pragma once
// DomainGuard: whether the addresses that a tool is given are at hosts that the run may open. What
// a page then loads, and where links lead, is the runtime's policy to judge.

#include <string>
#include <vector>

#include "agent/loop/run_config.h"
#include "policy/host_pattern.h"

namespace falconer::agent {

class DomainGuard {
 public:
  // kInvalidArgument for a pattern that is none.
  static Result<DomainGuard> Of(const RunConfig& config);

  // kPolicyDenied, naming the host, unless every address in the arguments ("url", "urls", names
  // that end in "_url", at any depth) is allowed. An address that cannot be read is not.
  Result<void> Check(const json::object& arguments) const;

 private:
  using Patterns = std::vector<policy::HostPattern>;

  Result<void> CheckValue(std::string_view key, const json::value& value) const;
  Result<void> CheckUrl(std::string_view url) const;

  // An address must be in each of them.
  std::vector<Patterns> lists_;
};

}  // namespace falconer::agent
