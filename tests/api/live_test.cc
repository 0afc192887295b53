// The live picture of a session, and a person who takes over, as a console would use the server.

#include <csignal>
#include <fmt/format.h>
#include <map>

#include <boost/asio/io_context.hpp>
#include <gtest/gtest.h>

#include "browser/stream/live_frame.h"
#include "browser/tabs/bitmap.h"
#include "net/http_client.h"
#include "net/websocket_client.h"
#include "tests/api/child_program.h"
#include "tests/support/co_test.h"
#include "tests/support/raw_client.h"
#include "tests/support/test_site.h"

namespace falconer::test {
namespace {

using Headers = net::HttpHeaders;
using browser::Bitmap;
using Kind = net::WebSocketMessage::Kind;

constexpr auto kLivePatience = std::chrono::seconds(60);
constexpr std::string_view kOfColour =
    "<title>{0}</title><body style='margin:0;background:{0}'>"
    "<button id=go style='position:absolute;left:10px;top:10px' "
    "onclick=\"document.body.style.background = '#0f0'; document.title = 'green'\">Go</button>";

// A server with its keys, and a session that shows a page.
class LiveServer {
 public:
  explicit LiveServer(std::string_view enabled = "true")
      : data_(TempDir::Create("falconer-live-test-").value()),
        program_(std::vector<std::string>{
            "serve", "--set", "serve.port=0", "--set", "data.dir=" + data_.path().string(), "--set",
            "policy.allow_domains=127.0.0.1", "--set", fmt::format("stream.enabled={}", enabled)}) {
    EXPECT_TRUE(program_.WaitForOutput("operator "));
    EXPECT_TRUE(program_.WaitForOutput("\n"));
    port_ = Behind("http://127.0.0.1:");
    for (const char* role : {"agent", "viewer", "approver", "operator"})
      keys_[role] = Behind(fmt::format("  {} ", role));
  }
  ~LiveServer() {
    program_.Signal(SIGTERM);
    const Ended ended = program_.Wait();
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
  }

  std::string Url(std::string_view scheme, std::string_view path) const {
    return fmt::format("{}://127.0.0.1:{}{}", scheme, port_, path);
  }
  std::uint16_t port() const { return static_cast<std::uint16_t>(std::stoi(port_)); }
  const std::string& KeyOf(const std::string& role) const { return keys_.at(role); }

  Task<net::HttpReply> Ask(CallContext ctx, std::string method, std::string path, std::string role,
                           std::string body = "") const {
    Headers headers;
    if (!role.empty()) headers.Set("Authorization", "Bearer " + KeyOf(role));
    auto reply = co_await net::SendHttp(ctx, {.url = Url("http", path),
                                              .method = std::move(method),
                                              .headers = std::move(headers),
                                              .body = std::move(body)});
    EXPECT_TRUE(reply) << Describe(reply.error());
    co_return reply ? *std::move(reply) : net::HttpReply();
  }
  Task<json::object> Object(CallContext ctx, std::string method, std::string path, std::string role,
                            std::string body = "") const {
    const auto reply =
        co_await Ask(ctx, std::move(method), std::move(path), std::move(role), std::move(body));
    const auto object = ParseJsonObject(reply.body);
    EXPECT_TRUE(object) << reply.status << " " << reply.body;
    co_return object.value_or(json::object());
  }
  Task<json::object> Act(CallContext ctx, std::string role, int step, std::string action) const {
    return Object(ctx, "POST", "/v1/actions", std::move(role),
                  fmt::format(R"({{"workflow_id": "shop", "step_index": {}, "action_spec": {}}})",
                              step, action));
  }
  // As a page does it: the key is among the subprotocols.
  Task<Result<std::unique_ptr<net::WebSocket>>> Watch(CallContext ctx, std::string role,
                                                      std::string path = "/stream/shop") const {
    return net::ConnectWebSocket(
        std::move(ctx), Url("ws", path),
        {{"Sec-WebSocket-Protocol", "falconer.stream.1, falconer.key." + KeyOf(role)}});
  }

 private:
  std::string Behind(std::string_view text) const {
    const std::string& output = program_.output();
    const std::size_t at = output.find(text);
    if (at == std::string::npos) return "";
    const std::size_t begin = output.find_first_not_of(' ', at + text.size());
    return output.substr(begin, output.find_first_of(" \n", begin) - begin);
  }

  TempDir data_;
  ChildProgram program_;
  std::string port_;
  std::map<std::string, std::string> keys_;
};

// One end of a stream.
struct Seen {
  std::vector<json::object> texts;
  std::uint64_t last_seq = 0;
  std::size_t frames = 0;
  std::optional<Bitmap> picture;

  void Take(const net::WebSocketMessage& message) {
    if (message.kind == Kind::kText) {
      texts.push_back(ParseJsonObject(message.data).value());
      return;
    }
    EXPECT_GT(message.data.size(), browser::kFrameHeaderBytes);
    const std::string_view bytes = message.data;
    EXPECT_EQ(Number(bytes, 0, 1), 1u);
    EXPECT_EQ(Number(bytes, 1, 1), 1u);
    EXPECT_EQ(Number(bytes, 2, 2), browser::kFrameHeaderBytes);
    EXPECT_GT(Number(bytes, 4, 8), last_seq) << "numbers rise";
    last_seq = Number(bytes, 4, 8);
    ++frames;
    auto decoded =
        Bitmap::Decode(bytes.substr(browser::kFrameHeaderBytes), model::ImageFormat::kJpeg);
    EXPECT_TRUE(decoded);
    if (!decoded) return;
    EXPECT_EQ(Number(bytes, 20, 2), static_cast<std::uint64_t>(decoded->width()));
    EXPECT_EQ(Number(bytes, 22, 2), static_cast<std::uint64_t>(decoded->height()));
    picture.emplace(*std::move(decoded));
  }
  static std::uint64_t Number(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint64_t number = 0;
    for (const char c : bytes.substr(at, size))
      number = number << 8 | static_cast<unsigned char>(c);
    return number;
  }
  // In the middle of the picture.
  bool Shows(int red, int green) const {
    if (!picture) return false;
    const auto pixel = picture->At(picture->width() / 2, picture->height() / 2);
    return std::abs(pixel[0] - red) < 40 && std::abs(pixel[1] - green) < 40;
  }
  // The last message of that type; empty when none has come.
  json::object Last(std::string_view type) const {
    json::object found;
    for (const json::object& text : texts)
      if (TextAt(text, "type") == type) found = text;
    return found;
  }
};

Task<bool> LookUntil(net::WebSocket* socket, Seen* seen, std::function<bool()> holds) {
  while (!holds()) {
    const auto message = co_await socket->Receive();
    if (!message || message->kind == Kind::kClosed) co_return false;
    seen->Take(*message);
  }
  co_return true;
}

Task<void> Say(CallContext ctx, net::WebSocket* socket, std::string text) {
  const auto sent = co_await socket->Send(ctx, {Kind::kText, std::move(text)});
  EXPECT_TRUE(sent) << Describe(sent.error());
}

std::string NavigateTo(const std::string& url) {
  return fmt::format(R"({{"action_type": "navigate", "url": "{}"}})", url);
}

constexpr std::string_view kGo = R"({"action_type": "click", "selector": "#go"})";

class LiveTest : public testing::Test {
 protected:
  LiveTest() {
    site_.Serve("/red", fmt::format(kOfColour, "#f00"));
    site_.Serve("/restless",
                "<body><script>let n = 0; (function step() { document.body.style.background = "
                "`rgb(${n++ % 256},0,0)`; requestAnimationFrame(step); })()</script>");
  }

  // Runs a body with a server that has a session.
  void Run(Task<void> (*body)(CallContext, LiveServer&, TestSite&), std::string page = "/red") {
    LiveServer server;
    boost::asio::io_context io;
    SystemClock clock;
    const CallContext ctx = CallContext(io.get_executor(), clock).WithTimeout(kLivePatience);
    RunCo(io, Go(ctx, &server, &site_, site_.Url(page), body), kLivePatience * 2);
  }

  TestSite site_;

 private:
  static Task<void> Go(CallContext ctx, LiveServer* server, TestSite* site, std::string url,
                       Task<void> (*body)(CallContext, LiveServer&, TestSite&)) {
    const auto opened = co_await server->Act(ctx, "agent", 0, NavigateTo(url));
    EXPECT_EQ(opened.at("success"), true) << json::serialize(opened);
    co_await body(ctx, *server, *site);
  }
};

Task<void> WatchAPage(CallContext ctx, LiveServer& server, TestSite&) {
  const auto socket = co_await server.Watch(ctx, "viewer");
  EXPECT_TRUE(socket) << Describe(socket.error());
  if (!socket) co_return;
  Seen seen;
  EXPECT_TRUE(co_await LookUntil(socket->get(), &seen, [&] { return seen.Shows(255, 0); }));
  EXPECT_EQ(TextAt(seen.Last("meta"), "session"), "shop");
  EXPECT_EQ(seen.Last("meta").at("may_act"), false);
  EXPECT_EQ(TextAt(seen.Last("status"), "state"), "live");
  EXPECT_EQ(TextAt(seen.Last("status"), "tab"), "t1");

  const auto clicked = co_await server.Act(ctx, "agent", 1, std::string(kGo));
  EXPECT_EQ(clicked.at("success"), true) << json::serialize(clicked);
  EXPECT_TRUE(co_await LookUntil(socket->get(), &seen, [&] { return seen.Shows(0, 255); }));

  const auto status = co_await server.Object(ctx, "GET", "/stream/shop/status", "viewer");
  EXPECT_EQ(status.at("viewers"), 1);
  EXPECT_EQ(TextAt(status, "state"), "live");
  const auto pool = co_await server.Object(ctx, "GET", "/stream/pool/status", "viewer");
  EXPECT_EQ(pool.at("viewers"), 1) << json::serialize(pool);
  EXPECT_EQ(pool.at("browsers").as_array().size(), 1u);
  // What is said wrongly is answered, and the stream goes on.
  co_await Say(ctx, socket->get(), "{");
  EXPECT_TRUE(
      co_await LookUntil(socket->get(), &seen, [&] { return !seen.Last("error").empty(); }));
  co_await Say(ctx, socket->get(), R"({"type": "ping"})");
  EXPECT_TRUE(co_await LookUntil(socket->get(), &seen, [&] { return !seen.Last("pong").empty(); }));
  // Without frames there is a sign of life.
  EXPECT_TRUE(co_await LookUntil(socket->get(), &seen, [&] { return !seen.Last("ping").empty(); }));

  const auto closed = co_await server.Ask(ctx, "DELETE", "/v1/sessions/shop", "agent");
  EXPECT_EQ(closed.status, 204);
  EXPECT_FALSE(co_await LookUntil(socket->get(), &seen, [] { return false; }));
  EXPECT_EQ(TextAt(seen.Last("status"), "state"), "ended");
}

TEST_F(LiveTest, AViewerSeesWhatTheAgentDoes) {
  Run(&WatchAPage);
}

Task<void> TryKeys(CallContext ctx, LiveServer& server, TestSite&) {
  const Headers wrong = {{"Sec-WebSocket-Protocol",
                          "falconer.stream.1, falconer.key.fk_viewer_" + std::string(64, '0')}};
  const struct {
    Headers headers;
    std::string path;
    std::string_view status;
  } refused[] = {
      {wrong, "/stream/shop", "401"},
      {{}, "/stream/shop", "401"},
      {{{"Authorization", "Bearer " + server.KeyOf("approver")}}, "/stream/shop", "403"},
      {{{"Authorization", "Bearer " + server.KeyOf("viewer")}}, "/stream/none", "404"},
      {{{"Authorization", "Bearer " + server.KeyOf("viewer")}, {"Origin", "http://evil.test"}},
       "/stream/shop",
       "403"},
      {{{"Authorization", "Bearer " + server.KeyOf("viewer")}, {"Sec-WebSocket-Protocol", "chat"}},
       "/stream/shop",
       "400"},
      {{}, "/stream/shop?ticket=ft_0", "401"},
  };
  for (const auto& row : refused) {
    const auto socket =
        co_await net::ConnectWebSocket(ctx, server.Url("ws", row.path), row.headers);
    EXPECT_FALSE(socket) << row.path;
    if (!socket)
      EXPECT_TRUE(socket.error().message().contains(row.status)) << Describe(socket.error());
  }
  EXPECT_EQ((co_await server.Ask(ctx, "GET", "/stream/shop", "viewer")).status, 426);
  EXPECT_EQ((co_await server.Ask(ctx, "POST", "/stream/none/tickets", "viewer")).status, 404);
}

TEST_F(LiveTest, WhoMayNotDoesNotWatch) {
  Run(&TryKeys);
}

Task<void> WatchPictures(CallContext ctx, LiveServer& server, TestSite&) {
  const auto issued = co_await server.Object(ctx, "POST", "/stream/shop/tickets", "viewer");
  const std::string ticket = TextAt(issued, "ticket");
  EXPECT_TRUE(issued.at("expires_in_ms").as_int64() > 0);
  const auto elsewhere = co_await server.Ask(ctx, "GET", "/v1/sessions?ticket=" + ticket, "");
  EXPECT_EQ(elsewhere.status, 401) << "good for the stream only";

  RawClient client(ctx, server.port());
  co_await client.Send(
      fmt::format("GET /stream/shop/mjpeg?ticket={} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", ticket,
                  server.port()));
  const std::string head = co_await client.ReadUntil("\r\n\r\n");
  EXPECT_TRUE(head.starts_with("HTTP/1.1 200")) << head;
  EXPECT_TRUE(head.contains("multipart/x-mixed-replace; boundary=falconer-frame")) << head;
  const std::string part = co_await client.ReadUntil("\xff\xd8");
  EXPECT_TRUE(part.contains("--falconer-frame\r\nContent-Type: image/jpeg\r\n")) << part;
  // A second picture comes when the page changes.
  co_await server.Act(ctx, "agent", 1, std::string(kGo));
  EXPECT_TRUE((co_await client.ReadUntil("--falconer-frame")).ends_with("--falconer-frame"));
  client.Close();

  // Who hung up no longer counts, as soon as the server has noticed.
  json::object status;
  const TimePoint until = ctx.clock().Now() + std::chrono::seconds(20);
  do {
    status = co_await server.Object(ctx, "GET", "/stream/shop/status", "viewer");
  } while (TextAt(status, "state") != "idle" && ctx.clock().Now() < until);
  EXPECT_EQ(TextAt(status, "state"), "idle") << json::serialize(status);
}

TEST_F(LiveTest, APictureIsShownByTicket) {
  Run(&WatchPictures);
}

Task<void> WatchTogether(CallContext ctx, LiveServer& server, TestSite&) {
  std::vector<std::unique_ptr<net::WebSocket>> sockets;
  for (int i = 0; i < 50; ++i) {
    auto socket = co_await server.Watch(ctx, "viewer");
    EXPECT_TRUE(socket) << Describe(socket.error());
    if (!socket) co_return;
    sockets.push_back(*std::move(socket));
  }
  // The first of them never reads anything.
  for (int round = 1; round <= 2; ++round) {
    for (std::size_t i = 1; i < sockets.size(); ++i) {
      Seen seen;
      EXPECT_TRUE(co_await LookUntil(sockets[i].get(), &seen, [&] { return seen.frames > 0; }));
    }
  }
  const auto pool = co_await server.Object(ctx, "GET", "/stream/pool/status", "viewer");
  EXPECT_EQ(pool.at("viewers"), 50);
  EXPECT_EQ(pool.at("streams"), 1);
  // Who says how many gets no more than that: no frame is among what comes until a pong.
  Seen counted;
  co_await Say(ctx, sockets[1].get(), R"({"type": "credit", "frames": 2})");
  EXPECT_TRUE(co_await LookUntil(sockets[1].get(), &counted, [&] {
    return !counted.Last("ping").empty();
  })) << "credits ran out, so that it became silent";
}

TEST_F(LiveTest, FiftyWatchOneSession) {
  Run(&WatchTogether, "/restless");
}

TEST_F(LiveTest, StreamsAreOffUnlessTheyAreSet) {
  LiveServer server("false");
  boost::asio::io_context io;
  SystemClock clock;
  struct Body {
    static Task<void> Try(CallContext ctx, LiveServer* off, std::string url) {
      co_await off->Act(ctx, "agent", 0, NavigateTo(url));
      const auto socket = co_await off->Watch(ctx, "viewer");
      EXPECT_FALSE(socket);
      if (!socket) EXPECT_TRUE(socket.error().message().contains("501"));
    }
  };
  RunCo(io,
        Body::Try(CallContext(io.get_executor(), clock).WithTimeout(kLivePatience), &server,
                  site_.Url("/red")),
        kLivePatience * 2);
}

Task<void> DriveByHand(CallContext ctx, LiveServer& server, TestSite& site) {
  const std::string ann = R"({"person": "ann", "reason": "looks odd"})";
  const auto socket = co_await server.Watch(ctx, "operator");
  EXPECT_TRUE(socket) << Describe(socket.error());
  if (!socket) co_return;
  Seen seen;
  const std::string click =
      fmt::format(R"({{"type": "input", "id": "a", "action_spec": {}}})", kGo);
  co_await Say(ctx, socket->get(), click);
  EXPECT_TRUE(
      co_await LookUntil(socket->get(), &seen, [&] { return !seen.Last("error").empty(); }));
  EXPECT_EQ(seen.Last("error").at("details").at("reason"), "not_taken_over");
  EXPECT_EQ((co_await server.Ask(ctx, "POST", "/v1/sessions/shop/takeover", "agent", ann)).status,
            403);
  EXPECT_EQ(
      (co_await server.Ask(ctx, "POST", "/v1/sessions/shop/takeover", "operator", "{}")).status,
      400);
  EXPECT_EQ(
      (co_await server.Ask(ctx, "POST", "/v1/sessions/none/takeover", "operator", ann)).status,
      404);

  const auto taken =
      co_await server.Object(ctx, "POST", "/v1/sessions/shop/takeover", "operator", ann);
  EXPECT_EQ(taken.at("driver").at("person"), "ann") << json::serialize(taken);
  const auto sessions = co_await server.Object(ctx, "GET", "/v1/sessions", "viewer");
  EXPECT_EQ(sessions.at("sessions").at(0).at("driver").at("person"), "ann");
  const auto refused = co_await server.Act(ctx, "agent", 1, std::string(kGo));
  EXPECT_EQ(refused.at("success"), false);
  EXPECT_EQ(refused.at("failure").at("details").at("taken_over_by"), "ann")
      << json::serialize(refused);
  const auto kept = co_await server.Ask(ctx, "DELETE", "/v1/sessions/shop", "agent", "");
  EXPECT_EQ(kept.status, 409) << kept.body;

  co_await Say(ctx, socket->get(), click);
  EXPECT_TRUE(co_await LookUntil(
      socket->get(), &seen, [&] { return seen.Shows(0, 255) && !seen.Last("result").empty(); }));
  EXPECT_EQ(seen.Last("result").at("result").at("success"), true)
      << json::serialize(seen.Last("result"));
  EXPECT_EQ(TextAt(seen.Last("result"), "id"), "a");
  const auto posted = co_await server.Act(ctx, "operator", 2, NavigateTo(site.Url("/red")));
  EXPECT_EQ(posted.at("success"), true) << json::serialize(posted);

  const auto back =
      co_await server.Object(ctx, "POST", "/v1/sessions/shop/handback", "operator", ann);
  EXPECT_EQ(back.at("driver").at("kind"), "agent") << json::serialize(back);
  const auto again = co_await server.Act(ctx, "agent", 3, std::string(kGo));
  EXPECT_EQ(again.at("success"), true) << json::serialize(again);
  const auto ledger = co_await server.Object(ctx, "GET", "/v1/ledger/verification", "viewer");
  EXPECT_TRUE(ledger.at("findings").as_array().empty()) << json::serialize(ledger);
}

TEST_F(LiveTest, APersonTakesOverActsAndHandsBack) {
  Run(&DriveByHand);
}

}  // namespace
}  // namespace falconer::test
