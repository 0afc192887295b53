#pragma once
// LocalTokens: by what right the program itself acts. It shows the token of the settings, or makes
// one for the person who started it, with the key of the data folder: a first use needs no
// ceremony, and every turn is admitted by a token all the same.

#include <memory>

#include "base/settings/settings.h"
#include "engine/runtime.h"
#include "policy/tokens/key_folder.h"
#include "policy/tokens/token_issuer.h"

namespace falconer::app {

class LocalTokens {
 public:
  // Makes a key if there is none. Reads and writes files on the caller's thread; kIoError,
  // kInvalidArgument for keys that are none. The verifier must outlive this.
  static Result<std::unique_ptr<LocalTokens>> Open(const Settings& settings,
                                                   const policy::TokenVerifier& verifier,
                                                   const Clock& clock);

  // Who acts, with a token that is good for the next action. A token of the settings that is not in
  // force is shown as it is: the gate says what is wrong with it.
  engine::Caller Caller() const;

 private:
  LocalTokens(const Settings& settings, const policy::TokenVerifier& verifier);

  TenantId tenant_;
  std::string shown_;
  const policy::TokenVerifier& verifier_;
  // Null when a token is shown.
  std::unique_ptr<policy::TokenIssuer> issuer_;
};

}  // namespace falconer::app
