#include "net/http_sender.h"

#include <algorithm>
#include <fmt/chrono.h>
#include <optional>
#include <utility>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/chunk_encode.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>

#include "base/log.h"
#include "base/text.h"
#include "net/io_token.h"

namespace falconer::net {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;

// Of a next request, while a body is sent.
constexpr std::size_t kReceivedBytes = std::size_t{4} << 10;

// A handler's header with a line break would let its value forge further headers.
bool IsSendable(const HttpHeaders& headers) {
  const auto breaks = [](char c) { return c == '\r' || c == '\n' || c == '\0'; };
  return std::ranges::none_of(headers, [&](const HttpHeaders::Field& field) {
    return field.name.empty() || std::ranges::any_of(field.name, breaks) ||
           std::ranges::any_of(field.value, breaks);
  });
}

bool HasNoBody(int status) {
  return status < 200 || status == 204 || status == 304;
}

std::string HttpDate(WallTime now) {
  return fmt::format("{:%a, %d %b %Y %H:%M:%S} GMT", fmt::gmtime(WallTime::clock::to_time_t(now)));
}

template <typename Body>
void FillHead(http::response<Body>& message, const HttpResponse& response, ResponseForm form,
              const Clock& clock) {
  message.result(static_cast<unsigned>(response.status));
  message.version(form.version);
  message.set(http::field::date, HttpDate(clock.WallNow()));
  for (const auto& field : response.headers) message.insert(field.name, field.value);
  message.keep_alive(form.after == ResponseForm::After::kKeepAlive);
}

std::optional<std::uint64_t> DeclaredLength(const HttpHeaders& headers) {
  const auto text = headers.Find("Content-Length");
  return text ? ParseWhole<std::uint64_t>(*text) : std::nullopt;
}

}  // namespace

// The body of a streamed response on its way: framed in chunks, or counted against the length that
// was promised, or (HTTP/1.0) ended by closing.
class HttpSender::Chunks final : public BodyWriter {
 public:
  enum class Framing { kChunked, kPlain };

  Chunks(HttpSender& sender, Framing framing, std::optional<std::uint64_t> promised)
      : sender_(sender), framing_(framing), left_(promised) {}

  Task<Result<void>> Write(std::string chunk) override { co_return co_await WriteAll(chunk); }
  Task<Result<void>> WriteShared(SharedBytes chunk) override {
    co_return co_await WriteAll(chunk.view());
  }

  Task<Result<void>> Finish() {
    if (left_.value_or(0) > 0) {
      co_return Fail(ErrorCode::kInvalidArgument, "body is shorter than its Content-Length");
    }
    if (framing_ == Framing::kPlain) co_return Result<void>();
    co_return co_await Put(http::make_chunk_last());
  }

 private:
  // Whoever calls keeps the chunk until this is done.
  Task<Result<void>> WriteAll(std::string_view chunk) {
    if (chunk.empty()) co_return Result<void>();
    if (left_ && chunk.size() > *left_) {
      co_return Fail(ErrorCode::kInvalidArgument, "body is longer than its Content-Length");
    }
    if (left_) *left_ -= chunk.size();
    if (framing_ == Framing::kPlain) co_return co_await Put(asio::buffer(chunk));
    co_return co_await Put(http::make_chunk(asio::buffer(chunk)));
  }

  template <typename Buffers>
  Task<Result<void>> Put(Buffers buffers) {
    sender_.watch_->ArmFor(sender_.write_timeout_);
    const auto [code, size] = co_await asio::async_write(*sender_.stream_, buffers, kAsTuple);
    if (code) co_return Fail(sender_.watch_->Explain(code, "write response"));
    sender_.watch_->Disarm();
    co_return Result<void>();
  }

  HttpSender& sender_;
  Framing framing_;
  std::optional<std::uint64_t> left_;
};

Task<Result<ResponseForm::After>> HttpSender::Send(HttpResponse response, ResponseForm form) {
  if (!IsSendable(response.headers) || response.status < 200 || response.status > 999) {
    LOG(error, "http.bad_response", {"status", response.status});
    response = TextResponse(500, "text/plain", "internal error\n");
  }
  if (response.stream && form.body == ResponseForm::Body::kSend && !HasNoBody(response.status)) {
    co_return co_await SendStream(std::move(response), form);
  }
  co_return co_await SendWhole(std::move(response), form);
}

Task<Result<void>> HttpSender::SendContinue() {
  http::response<http::empty_body> message(http::status::continue_, kHttp11);
  watch_->ArmFor(write_timeout_);
  const auto [code, size] = co_await http::async_write(*stream_, message, kAsTuple);
  if (code) co_return Fail(watch_->Explain(code, "write response"));
  co_return Result<void>();
}

Task<Result<ResponseForm::After>> HttpSender::SendWhole(HttpResponse response, ResponseForm form) {
  http::response<http::string_body> message;
  FillHead(message, response, form, clock_);
  if (!HasNoBody(response.status)) {
    const auto declared = DeclaredLength(response.headers);
    const bool is_head = form.body == ResponseForm::Body::kOmit;
    message.content_length(is_head && declared ? *declared : response.body.size());
    if (!is_head) message.body() = std::move(response.body);
  }
  watch_->ArmFor(write_timeout_);
  const auto [code, size] = co_await http::async_write(*stream_, message, kAsTuple);
  if (code) co_return Fail(watch_->Explain(code, "write response"));
  watch_->Disarm();
  co_return form.after;
}

Task<Result<ResponseForm::After>> HttpSender::SendStream(HttpResponse response, ResponseForm form) {
  using enum Chunks::Framing;
  const auto promised = DeclaredLength(response.headers);
  const auto framing = !promised && form.version >= kHttp11 ? kChunked : kPlain;
  if (framing == kPlain && !promised) form.after = ResponseForm::After::kClose;
  http::response<http::empty_body> message;
  FillHead(message, response, form, clock_);
  if (framing == kChunked) message.chunked(true);
  http::response_serializer<http::empty_body> head(message);
  watch_->ArmFor(write_timeout_);
  const auto [code, size] = co_await http::async_write_header(*stream_, head, kAsTuple);
  if (code) co_return Fail(watch_->Explain(code, "write response"));
  watch_->Disarm();

  Chunks out(*this, framing, promised);
  using asio::experimental::awaitable_operators::operator||;
  const auto ended = co_await (RunStream(std::move(response.stream), &out) || UntilHangUp());
  if (ended.index() == 1) co_return Fail(ErrorCode::kNetworkError, "the client hung up");
  CO_TRY(std::get<0>(ended));
  CO_TRY(co_await out.Finish());
  co_return form.after;
}

// Nothing may escape: the race it runs in would take an exception for "still running".
Task<Result<void>> HttpSender::RunStream(BodyStream stream, BodyWriter* out) {
  try {
    co_return co_await stream(out);
  } catch (const std::exception& e) {
    co_return Fail(ErrorCode::kInternalError, e.what());
  }
}

// Returns when the client closed its side. Bytes of a next request end the watching, not the wait.
Task<void> HttpSender::UntilHangUp() {
  const auto [code, size] =
      co_await stream_->async_read_some(received_->prepare(kReceivedBytes), kAsTuple);
  received_->commit(size);
  if (code) co_return;
  asio::steady_timer forever(stream_->get_executor(), asio::steady_timer::time_point::max());
  co_await forever.async_wait(kAsTuple);
}

}  // namespace falconer::net
