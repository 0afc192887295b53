#include "api/mcp/http_exchange.h"

#include <utility>

#include "api/mcp/http_answers.h"

namespace falconer::api {

void HttpExchange::Send(McpOutgoing out) {
  using enum McpOutgoing::Kind;
  if (out.kind == kAnswer || out.kind == kNothing) return Finish(std::move(out));
  if (is_over_ || !setup_.forms.stream) {
    // News matter only to who follows them; a question matters to the person at the client.
    if (out.kind == kQuestion) setup_.elsewhere(std::move(out.line));
    return;
  }
  BecomeStream();
  setup_.stream->Push(std::move(out.line));
}

void HttpExchange::BecomeStream() {
  is_stream_ = true;
  if (answer_) setup_.stream->Push(std::move(answer_->line));
  if (is_over_) setup_.stream->Close();
  changes_.NotifyAll();
}

void HttpExchange::Finish(McpOutgoing out) {
  if (is_over_) return;
  is_over_ = true;
  if (out.kind == McpOutgoing::Kind::kAnswer) answer_ = std::move(out);
  if (is_stream_) BecomeStream();
  changes_.NotifyAll();
}

Task<net::HttpResponse> HttpExchange::Respond(CallContext ctx, std::shared_ptr<HttpExchange> self,
                                              Duration patience, std::shared_ptr<void> kept) {
  const AcceptedForms forms = self->setup_.forms;
  (void)co_await self->changes_.Until(
      forms.stream ? ctx.WithTimeout(patience) : ctx,
      [&] { return self->is_over_ || self->is_stream_; }, "the answer");
  const bool is_whole = self->is_over_ && !self->is_stream_;
  if (is_whole && (forms.json || self->has_failed())) co_return self->Whole();
  if (!self->is_stream_) self->BecomeStream();
  co_return EventsResponse(
      [ctx, stream = self->setup_.stream, kept = std::move(kept)](net::BodyWriter* out) {
        return SseStream::Write(ctx, stream, std::nullopt, out);
      });
}

// Of a call that its client has cancelled there is nothing to say.
net::HttpResponse HttpExchange::Whole() const {
  return answer_ ? AnswerResponse(setup_.era, *answer_) : AcceptedResponse();
}

}  // namespace falconer::api
