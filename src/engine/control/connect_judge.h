#pragma once
// ConnectJudge: the policy of a session at its way out. Everything that leaves is asked about there
// once more, by host and port. What stops in the browser was judged with all its facts, and
// whatever was let go there goes on; what never stops there (WebSockets, what the browser fetches
// on its own account) is judged by the rules for connecting. Asked on the proxy's thread, told on
// the session's event loop.

#include <mutex>
#include <set>
#include <string>

#include "browser/network/egress_door.h"
#include "engine/control/turn_control.h"

namespace falconer::engine {

class ConnectJudge final : public browser::EgressJudge {
 public:
  // The clock must outlive this.
  explicit ConnectJudge(const Clock& clock) : clock_(clock) {}

  // From now on what leaves is put down to this turn. What was let go under another policy is
  // judged anew.
  void Govern(const ControlGrounds& grounds);
  // A request to this address was judged, and goes on.
  void Let(const std::string& url);

  browser::EgressOpinion Judge(const browser::EgressPlace& place) const override;

 private:
  const Clock& clock_;
  mutable std::mutex mutex_;  // guards the rest
  std::shared_ptr<const kernel::AdmittedPolicy> policy_;
  model::PolicyFacts facts_;   // on whose behalf
  std::set<std::string> let_;  // "host:port"
};

}  // namespace falconer::engine
