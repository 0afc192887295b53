#pragma once
// SecretDesk: where references to secrets become values, for whoever types them into a page.
// Sources may block (a password manager asks a person, a keyring is locked), so the store has a
// thread of its own; the event loop goes on.
//
// A value is given out only for the document that gets it, and only after the redactor knows it.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/async/call_context.h"
#include "policy/secrets/secret_store.h"

namespace falconer::engine {

class SecretDesk {
 public:
  using Sources = std::vector<std::unique_ptr<policy::SecretSource>>;

  // What the sources can tell is asked by the thread, at once, and known to the redactor from then
  // on; one that cannot say is logged. Clock and redactor must outlive the desk.
  SecretDesk(Clock& clock, policy::Redactor& redactor, Sources sources);
  // Waits for the command that runs, if one does (policy/secrets/run_command.h limits it).
  ~SecretDesk();
  SecretDesk(const SecretDesk&) = delete;
  SecretDesk& operator=(const SecretDesk&) = delete;

  // The value for a document at this address. kSecurityDomainBlock for one that is not of the
  // secret's hosts, also for those that have no host; kNotFound; else as the source says; and like
  // ctx.
  Task<Result<policy::SecretText>> Resolve(CallContext ctx, policy::SecretReference reference,
                                           std::string url);

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace falconer::engine
