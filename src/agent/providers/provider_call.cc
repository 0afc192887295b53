#include "agent/providers/provider_call.h"

#include <algorithm>
#include <utility>

#include "agent/providers/provider_error.h"
#include "agent/providers/wire_json.h"
#include "base/text.h"

namespace falconer::agent {
namespace {

constexpr std::string_view kJsonType = "application/json";
constexpr std::size_t kReplySlack = std::size_t{1} << 20;
// An error says what it is in its first bytes.
constexpr std::size_t kMaxRefusalBytes = std::size_t{64} << 10;

std::unexpected<Error> NoAnswer(std::string why) {
  return Fail(ProviderFailure(ProviderFault::kInvalidAnswer, std::move(why)));
}

std::optional<std::chrono::milliseconds> RetryAfterIn(const net::HttpHeaders& headers) {
  if (const auto exact = headers.Find("retry-after-ms")) {
    if (const auto milliseconds = ParseWhole<std::int64_t>(*exact);
        milliseconds && *milliseconds >= 0)
      return std::chrono::milliseconds(*milliseconds);
  }
  const auto seconds = headers.Find("retry-after");
  return seconds ? ParseRetryAfter(*seconds) : std::nullopt;
}

}  // namespace

ProviderCall::ProviderCall(CallContext ctx, const ProviderSpec& spec, DeltaSink sink)
    : ctx_(std::move(ctx)),
      spec_(spec),
      dialect_(DialectOf(spec.kind)),
      builder_(std::move(sink)),
      begun_(ctx_.clock().Now()) {
}

Error ProviderCall::Classed(Error error) const {
  if (ctx_.cancel().is_cancelled()) return error;
  const ProviderFault fault = FaultOf(error);
  const bool is_wire = error.code() == ErrorCode::kNetworkError ||
                       error.code() == ErrorCode::kTimeout || error.code() == ErrorCode::kIoError;
  return is_wire ? ProviderFailure(fault, error.message()) : error;
}

bool ProviderCall::IsType(std::string_view type) const {
  const std::string_view sent = reply_->headers().Find("Content-Type").value_or("");
  return IsSameWord(Trim(sent.substr(0, sent.find(';'))), type);
}

Task<Result<void>> ProviderCall::Open(std::string body, net::HttpHeaders headers) {
  headers.Set("Content-Type", std::string(kJsonType));
  headers.Set("User-Agent", "falconer/" FALCONER_VERSION);
  net::HttpCall call{
      .url = spec_.url + std::string(dialect_.path()),
      .method = "POST",
      .headers = std::move(headers),
      .body = std::move(body),
      // Next() counts, too, and says what it means.
      .max_reply_bytes = static_cast<std::size_t>(spec_.max_answer_bytes) + kReplySlack};
  net::WebReplyOptions options{.trust = {.authorities = spec_.authorities},
                               .head_timeout = spec_.first_byte};
  auto reply = co_await net::WebReply::Open(ctx_, std::move(call), std::move(options));
  if (!reply) co_return Fail(Classed(std::move(reply).error()));
  reply_ = *std::move(reply);
  co_return Result<void>();
}

Task<Result<std::string>> ProviderCall::Next() {
  const Duration waited = ctx_.clock().Now() - begun_;
  const Duration left = std::max<Duration>(Duration::zero(), spec_.first_byte - waited);
  auto piece = co_await reply_->Read(wire_.pieces == 0 ? left : Duration(spec_.quiet));
  if (!piece) co_return Fail(Classed(std::move(piece).error()));
  if (piece->empty()) co_return piece;
  if (wire_.pieces++ == 0) wire_.first_byte = ctx_.clock().Now() - begun_;
  wire_.bytes += static_cast<std::int64_t>(piece->size());
  if (wire_.bytes > spec_.max_answer_bytes) co_return NoAnswer("the answer is too long");
  co_return piece;
}

Task<Result<std::string>> ProviderCall::ReadAll(std::size_t most) {
  std::string all;
  while (all.size() < most) {
    CO_TRY_ASSIGN(const std::string piece, co_await Next());
    if (piece.empty()) break;
    all += piece;
  }
  co_return all;
}

Task<Error> ProviderCall::ReadRefusal() {
  ErrorReport report{.status = reply_->status(), .retry_after = RetryAfterIn(reply_->headers())};
  const auto text = co_await ReadAll(kMaxRefusalBytes);
  // Without a body that can be read the status says enough.
  if (!text && ctx_.cancel().is_cancelled()) co_return text.error();
  const auto body = text ? ParseJsonObject(*text) : Result<json::object>();
  if (body) report.words = ErrorWordsIn(*body);
  co_return ReportedFailure(report);
}

Result<void> ProviderCall::TakeEvents(const std::vector<WireEvent>& events) {
  for (const WireEvent& event : events) {
    if (builder_.is_complete()) return {};
    TRY(dialect_.ReadEvent(event, builder_));
  }
  return {};
}

Task<Result<void>> ProviderCall::ReadStream() {
  const auto reader = MakeWireReader(dialect_.framing());
  while (!builder_.is_complete()) {
    CO_TRY_ASSIGN(const std::string piece, co_await Next());
    if (piece.empty()) co_return TakeEvents(reader->End());
    CO_TRY_ASSIGN(const auto events, reader->Take(piece));
    CO_TRY(TakeEvents(events));
  }
  co_return Result<void>();
}

Task<Result<void>> ProviderCall::ReadAnswer() {
  if (IsType(dialect_.stream_type())) co_return co_await ReadStream();
  if (!IsType(kJsonType)) co_return NoAnswer("the answer is neither JSON nor a stream of it");
  CO_TRY_ASSIGN(const std::string text,
                co_await ReadAll(static_cast<std::size_t>(spec_.max_answer_bytes)));
  const auto body = ParseJsonObject(text);
  if (!body) co_return NoAnswer("the answer is not a JSON object");
  co_return dialect_.ReadWhole(*body, builder_);
}

Task<Result<ProviderAnswer>> ProviderCall::Run(std::string body, net::HttpHeaders headers) {
  constexpr int kFirstRefusal = 300;
  CO_TRY(co_await Open(std::move(body), std::move(headers)));
  if (reply_->status() >= kFirstRefusal) co_return Fail(co_await ReadRefusal());
  CO_TRY(co_await ReadAnswer());
  CO_TRY_ASSIGN(ProviderAnswer answer, builder_.Finish());
  wire_.total = ctx_.clock().Now() - begun_;
  answer.wire = wire_;
  answer.provider = spec_.name;
  if (answer.model.empty()) answer.model = spec_.model;
  co_return answer;
}

}  // namespace falconer::agent
