#pragma once
// CallbackDesk: tells an address that a job is over: one POST, signed, and tried again for a while.
// Its state is the job's, so that it goes on after a restart.

#include <chrono>
#include <functional>
#include <string>

#include "agent/jobs/job_type.h"
#include "agent/providers/key_source.h"
#include "net/http_client.h"
#include "store/job_store.h"

namespace falconer::agent {

inline constexpr std::string_view kCallbackSignature = "Falconer-Signature";

struct CallbackRules {
  // What is signed with where a job names nothing: a secret's name, or NAME:FIELD; "" for none.
  std::string key = {};
  int tries = 5;
  Duration timeout = std::chrono::seconds(10);
  // Before the second try; before each further one four times as long as before the last.
  Duration first_pause = std::chrono::seconds(2);
};

// "NAME" or "NAME:FIELD". kInvalidArgument.
Result<policy::SecretReference> ParseSecretName(std::string_view text);

class CallbackDesk {
 public:
  // Sends only to places that it may.
  using Send = std::function<Task<Result<net::HttpReply>>(CallContext ctx, net::HttpCall call)>;

  CallbackDesk(KeySource keys, Send send, CallbackRules rules)
      : keys_(std::move(keys)), send_(std::move(send)), rules_(std::move(rules)) {}

  // What the store keeps of a wish. kInvalidArgument for an address that cannot be one, and for a
  // wish without anything to sign with.
  Result<store::JobCallback> Accept(const CallbackWish& wish) const;
  // One try, and what is to be noted about it. Fails only when ctx ends.
  Task<Result<store::CallbackNote>> Try(CallContext ctx, store::JobRecord job) const;
  Duration timeout() const { return rules_.timeout; }

 private:
  Task<Result<int>> Post(CallContext ctx, store::JobRecord job) const;

  KeySource keys_;
  Send send_;
  CallbackRules rules_;
};

}  // namespace falconer::agent
