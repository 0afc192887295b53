#pragma once
// ProviderCall: one request on its way to a provider and its answer back. Letting go of it closes
// the connection.

#include <memory>

#include "agent/providers/dialect.h"
#include "agent/providers/provider.h"
#include "net/web_reply.h"

namespace falconer::agent {

class ProviderCall {
 public:
  // The spec must outlive the call.
  ProviderCall(CallContext ctx, const ProviderSpec& spec, DeltaSink sink);

  // Sends the body with these headers and reads the answer. Fails with the codes of
  // provider_error.h, or the cancel reason.
  Task<Result<ProviderAnswer>> Run(std::string body, net::HttpHeaders headers);
  // What the provider has counted so far, also of what is no answer.
  const TokenUsage& usage() const { return builder_.usage(); }

 private:
  Task<Result<void>> Open(std::string body, net::HttpHeaders headers);
  Task<Result<void>> ReadAnswer();
  Task<Result<void>> ReadStream();
  // The next bytes; "" at the end. Bounded in time and in all.
  Task<Result<std::string>> Next();
  Task<Result<std::string>> ReadAll(std::size_t most);
  // What an error status is about.
  Task<Error> ReadRefusal();
  Result<void> TakeEvents(const std::vector<WireEvent>& events);
  bool IsType(std::string_view type) const;
  // An error of the connection as one of a provider; a cancel stays what it is.
  Error Classed(Error error) const;

  CallContext ctx_;
  const ProviderSpec& spec_;
  const Dialect& dialect_;
  AnswerBuilder builder_;
  TimePoint begun_;
  WireFacts wire_;
  std::unique_ptr<net::WebReply> reply_;
};

}  // namespace falconer::agent
