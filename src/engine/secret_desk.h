#pragma once
// SecretDesk: where references to secrets become values, for whoever types them into a page.
// Sources may block (a password manager asks a person, a keyring is locked), so the store has a
// thread of its own; the event loop goes on.
//
// A value is given out only for the document that gets it, and only after the redactor knows it.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async/call_context.h"
#include "policy/secrets/secret_store.h"

namespace falconer::engine {

// Which secret is asked for, by whom, what for, and for which document.
struct SecretAsk {
  policy::SecretReference reference;
  std::string url;  // of the document
  std::string origin =
      "";                  // whose it is, also where the address does not tell; empty: the address'
  std::string agent = "";  // as its token says
  policy::SecretPurpose purpose = policy::SecretPurpose::kTyping;
  // What it is typed into, where that is known.
  std::optional<model::ElementFacts> field = {};
};

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

  // The value for that document. kSecurityDomainBlock for one that is not of the secret's hosts,
  // also for those that have no host; else as SecretStore::Resolve says; and like ctx. A value that
  // is given out once is used up also when whoever asked has no time left to take it.
  Task<Result<policy::SecretText>> Resolve(CallContext ctx, SecretAsk ask);

 private:
  class Worker;
  std::unique_ptr<Worker> worker_;
};

}  // namespace falconer::engine
