// Answers that take their time: downloads, event streams, bodies that stall or break off.

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <utility>

#include "base/async/alarm.h"
#include "net/websocket.h"
#include "tests/support/site_routes.h"

namespace falconer::test {

using net::BodyWriter;
using net::HttpRequest;
using net::HttpResponse;
using net::TextResponse;

namespace {

constexpr std::size_t kPieceBytes = std::size_t{64} << 10;

struct DownloadName {
  std::string_view kind;
  std::string disposition;
};

// Names a careless client would write outside its folder, overwrite something with, or show
// wrongly.
const DownloadName kNames[] = {
    {"plain", "attachment; filename=\"report.txt\""},
    {"traversal", "attachment; filename=\"../../x\""},
    {"backslash", "attachment; filename=\"..\\\\..\\\\x.txt\""},
    {"absolute", "attachment; filename=\"/etc/passwd\""},
    {"device", "attachment; filename=\"CON\""},
    {"unicode", "attachment; filename*=UTF-8''%C3%9Cbersicht%20%F0%9F%A6%85.txt"},
    {"bidi", "attachment; filename*=UTF-8''invoice%E2%80%AEfdp.exe"},
    {"control", "attachment; filename*=UTF-8''a%01b%0Ac.txt"},
    {"hidden", "attachment; filename=\".bashrc\""},
    {"long", "attachment; filename=\"" + std::string(300, 'a') + ".txt\""},
    {"nameless", "attachment"},
};

struct Pieces {
  std::size_t count;
  std::size_t pause_ms;
  enum class Then { kEnd, kWait, kBreak } then = Then::kEnd;
};

Task<void> WaitForever(CallContext ctx) {
  Alarm alarm(ctx.executor(), ctx.clock());
  co_await alarm.Wait(Deadline::Never());
}

Task<Result<void>> SendPieces(CallContext ctx, Pieces pieces, BodyWriter* out) {
  for (std::size_t i = 0; i < pieces.count; ++i) {
    if (i > 0) co_await Pause(ctx, pieces.pause_ms);
    CO_TRY(co_await out->Write(std::string(kPieceBytes, 'x')));
  }
  if (pieces.then == Pieces::Then::kWait) co_await WaitForever(ctx);
  if (pieces.then == Pieces::Then::kBreak) co_return Fail(ErrorCode::kIoError, "broken off");
  co_return Result<void>();
}

HttpResponse PiecesResponse(const SiteServices& site, Pieces pieces, std::string disposition) {
  HttpResponse response;
  response.headers.Set("Content-Type", "application/octet-stream");
  response.headers.Set("Content-Disposition", std::move(disposition));
  response.stream = [ctx = site.ctx, pieces](BodyWriter* out) {
    return SendPieces(ctx, pieces, out);
  };
  return response;
}

HttpResponse SlowDownload(const SiteServices& site, const HttpRequest& request) {
  const Pieces pieces{.count = QueryNumber(request, "chunks", 50),
                      .pause_ms = QueryNumber(request, "ms", 100)};
  auto response = PiecesResponse(site, pieces, "attachment; filename=\"slow.bin\"");
  response.headers.Set("Content-Length", std::to_string(pieces.count * kPieceBytes));
  return response;
}

Task<Result<void>> SendEvents(CallContext ctx, Pieces events, BodyWriter* out) {
  for (std::size_t i = 1; i <= events.count; ++i) {
    co_await Pause(ctx, events.pause_ms);
    CO_TRY(co_await out->Write(fmt::format("id: {0}\ndata: event {0}\n\n", i)));
  }
  co_await WaitForever(ctx);
  co_return Result<void>();
}

Task<Result<void>> SendHalves(CallContext ctx, std::size_t pause_ms, BodyWriter* out) {
  CO_TRY(co_await out->Write("<!doctype html><title>Halves</title><p id=\"first\">First half</p>"));
  co_await Pause(ctx, pause_ms);
  co_return co_await out->Write("<p id=\"second\">Second half</p>");
}

Task<Result<void>> SendStart(CallContext ctx, BodyWriter* out) {
  CO_TRY(
      co_await out->Write("<!doctype html><title>Never</title><p id=\"first\">Only a start</p>"));
  co_await WaitForever(ctx);
  co_return Result<void>();
}

Task<void> EchoMessages(CallContext ctx, std::shared_ptr<net::WebSocket> socket) {
  while (true) {
    auto message = co_await socket->Receive();
    if (!message || message->kind == net::WebSocketMessage::Kind::kClosed) co_return;
    if (message->data == "close") co_return;
    message->data = "echo " + message->data;
    if (!co_await socket->Send(ctx, *std::move(message))) co_return;
  }
}

}  // namespace

Task<HttpResponse> AnswerDownload(SiteServices site, HttpRequest request) {
  using enum Pieces::Then;
  const auto kind = request.path.substr(std::string_view("/download/").size());
  if (kind == "slow") co_return SlowDownload(site, request);
  if (kind == "endless") {
    co_return PiecesResponse(site, {1, 0, kWait}, "attachment; filename=\"endless.bin\"");
  }
  if (kind == "broken") {
    auto response = PiecesResponse(site, {1, 0, kBreak}, "attachment; filename=\"broken.bin\"");
    response.headers.Set("Content-Length", std::to_string(2 * kPieceBytes));
    co_return response;
  }
  const auto* name = std::ranges::find(kNames, kind, &DownloadName::kind);
  if (name == std::end(kNames)) co_return TextResponse(404, "text/plain", "no such download");
  auto response = TextResponse(200, "application/octet-stream", "the content of " + kind);
  response.headers.Set("Content-Disposition", name->disposition);
  co_return response;
}

Task<HttpResponse> AnswerServerEvents(SiteServices site, HttpRequest request) {
  const Pieces events{.count = QueryNumber(request, "count", 3),
                      .pause_ms = QueryNumber(request, "ms", 20)};
  HttpResponse response;
  response.headers.Set("Content-Type", "text/event-stream");
  response.headers.Set("Cache-Control", "no-store");
  response.stream = [ctx = site.ctx, events](BodyWriter* out) {
    return SendEvents(ctx, events, out);
  };
  co_return response;
}

Task<HttpResponse> AnswerSlowBody(SiteServices site, HttpRequest request) {
  auto response = HtmlResponse("");
  response.stream = [ctx = site.ctx, ms = QueryNumber(request, "ms", 1000)](BodyWriter* out) {
    return SendHalves(ctx, ms, out);
  };
  co_return response;
}

Task<HttpResponse> AnswerNever(SiteServices site, HttpRequest /*request*/) {
  auto response = HtmlResponse("");
  response.stream = [ctx = site.ctx](BodyWriter* out) { return SendStart(ctx, out); };
  co_return response;
}

Task<HttpResponse> AnswerWebSocket(SiteServices site, HttpRequest /*request*/) {
  HttpResponse response;
  response.websocket = [ctx = site.ctx](std::shared_ptr<net::WebSocket> socket) {
    return EchoMessages(ctx, std::move(socket));
  };
  co_return response;
}

}  // namespace falconer::test
