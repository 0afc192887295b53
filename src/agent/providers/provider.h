#pragma once
// Provider: somebody who answers what a model is asked. The loop knows nothing else of models.

#include <string>

#include "agent/providers/chat_answer.h"
#include "base/async/call_context.h"

namespace falconer::agent {

class Provider {
 public:
  virtual ~Provider() = default;
  virtual const std::string& name() const = 0;

  // Nothing if it can answer that; kUnsupported, naming what it lacks.
  virtual Result<void> Fits(const ChatRequest& request) const = 0;

  // The whole answer. Its pieces are told to `sink` on the way, if the request says so. Cancelling
  // `ctx` closes the connection, so that the provider stops too. Fails with the codes of
  // provider_error.h, or the cancel reason. The provider must outlive the call.
  virtual Task<Result<ProviderAnswer>> Ask(CallContext ctx, ChatRequest request,
                                           DeltaSink sink) = 0;
};

}  // namespace falconer::agent
