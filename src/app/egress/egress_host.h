#pragma once
// EgressHost: the egress proxy of a program, joined to the policy and to browser sessions. It runs
// on a thread of its own, so that the bytes of pages and the steps of turns do not wait for each
// other. Every member may be called from any thread.

#include <memory>
#include <string>

#include "app/egress/egress_settings.h"
#include "browser/network/egress_door.h"
#include "policy/domain_rules.h"

namespace falconer::app {

class EgressHost {
 public:
  // Listens when it returns. Fails with kNetworkError or kIoError.
  static Result<std::unique_ptr<EgressHost>> Start(EgressConfig config, policy::DomainRules rules);
  // Ends every connection.
  ~EgressHost();
  EgressHost(const EgressHost&) = delete;
  EgressHost& operator=(const EgressHost&) = delete;

  // For SessionOptions::egress. It may outlive the host; nobody gets out by it then.
  std::shared_ptr<browser::EgressDoor> door() const;
  // "http://127.0.0.1:41234".
  std::string address() const;

 private:
  class Works;
  class Door;
  explicit EgressHost(std::shared_ptr<Works> works);

  std::shared_ptr<Works> works_;
  std::shared_ptr<Door> door_;
};

}  // namespace falconer::app
