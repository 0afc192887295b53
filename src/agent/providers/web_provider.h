#pragma once
// WebProvider: a provider that is asked over HTTP, in its dialect.

#include "agent/providers/key_source.h"
#include "agent/providers/provider.h"
#include "agent/providers/provider_spec.h"
#include "net/http_message.h"

namespace falconer::agent {

class WebProvider final : public Provider {
 public:
  // `keys` is asked for each call, so that a key that was changed is used at once; it may be empty
  // for a provider without one.
  WebProvider(ProviderSpec spec, KeySource keys);

  const std::string& name() const override { return spec_.name; }
  const ProviderSpec& spec() const { return spec_; }
  Result<void> Fits(const ChatRequest& request) const override;
  Task<Result<ProviderAnswer>> Ask(CallContext ctx, ChatRequest request, DeltaSink sink) override;

 private:
  Task<Result<net::HttpHeaders>> HeadersFor(CallContext ctx);

  const ProviderSpec spec_;
  const KeySource keys_;
};

}  // namespace falconer::agent
