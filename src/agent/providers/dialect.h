#pragma once
// Dialect: how one kind of provider is spoken to: the request as its JSON, and its answers read,
// whole or event by event. Pure: no connections, no state.

#include <memory>
#include <string>
#include <string_view>

#include "agent/providers/answer_builder.h"
#include "agent/providers/chat_request.h"
#include "agent/providers/provider_spec.h"
#include "agent/providers/wire_reader.h"
#include "net/http_message.h"

namespace falconer::agent {

class Dialect {
 public:
  virtual ~Dialect() = default;

  // What is put behind the provider's address.
  virtual std::string_view path() const = 0;
  virtual Framing framing() const = 0;
  // The content type of a streamed answer.
  virtual std::string_view stream_type() const = 0;
  // What the key is sent in, and what else the provider wants; "" for no key.
  virtual net::HttpHeaders Headers(std::string_view key) const = 0;
  virtual json::object Body(const ChatRequest& request, const ProviderSpec& spec) const = 0;

  // Fails with the codes of provider_error.h. What is missing shows in AnswerBuilder::Finish.
  virtual Result<void> ReadWhole(const json::object& body, AnswerBuilder& out) const = 0;
  virtual Result<void> ReadEvent(const WireEvent& event, AnswerBuilder& out) const = 0;
};

// Lives as long as the program.
const Dialect& DialectOf(ProviderKind kind);

}  // namespace falconer::agent
