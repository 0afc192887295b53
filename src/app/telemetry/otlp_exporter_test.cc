#include "app/telemetry/otlp_exporter.h"

#include <atomic>
#include <deque>
#include <map>
#include <thread>

#include <boost/asio/post.hpp>
#include <gtest/gtest.h>

#include "base/async/notifier.h"
#include "base/async/one_shot.h"
#include "base/file.h"
#include "base/sha256.h"
#include "net/http_server.h"
#include "net/tls_identity.h"
#include "tests/support/co_test.h"
#include "tests/support/own_authority.h"

namespace falconer::app {
namespace {

using namespace std::chrono_literals;
using model::Span;

// How it answers one export.
struct CollectorAnswer {
  int status = 200;
  std::string body = "{}";
  std::string retry_after = {};
  bool is_never = false;  // it does not answer at all
};

// A collector: keeps what it is sent, and answers as it is told, in the end with 200.
class Collector {
 public:
  explicit Collector(const CallContext& ctx, std::shared_ptr<net::TlsIdentity> tls = nullptr)
      : ctx_(ctx),
        server_(ctx.executor(), ctx.clock(),
                [this](net::HttpRequest request) { return Handle(this, std::move(request)); },
                {.tls = std::move(tls)}) {
    EXPECT_TRUE(server_.Listen());
  }

  std::string Url() const {
    return "http://127.0.0.1:" + std::to_string(server_.port()) + "/v1/traces";
  }
  std::uint16_t port() const { return server_.port(); }
  // Until so many exports have come.
  Task<bool> Came(std::size_t count) {
    const auto came = co_await changed_.Until(
        ctx_.WithTimeout(15s), [this, count] { return requests.size() >= count; }, "exports");
    co_return came.has_value();
  }
  Task<void> Stop() { co_await server_.Stop(ctx_.WithTimeout(0s)); }

  // The spans of the request, as OTLP has them.
  json::array SpansAt(std::size_t i) const {
    const json::object body = ParseJsonObject(requests.at(i).body).value();
    return body.at("resourceSpans").at(0).at("scopeSpans").at(0).at("spans").as_array();
  }

  std::vector<net::HttpRequest> requests;
  std::deque<CollectorAnswer> answers;

 private:
  static Task<net::HttpResponse> Handle(Collector* self, net::HttpRequest request) {
    self->requests.push_back(std::move(request));
    self->changed_.NotifyAll();
    CollectorAnswer answer;
    if (!self->answers.empty()) {
      answer = self->answers.front();
      self->answers.pop_front();
    }
    if (answer.is_never)
      co_await Alarm(self->ctx_.executor(), self->ctx_.clock()).Wait(Deadline::Never());
    auto response = net::TextResponse(answer.status, "application/json", answer.body);
    if (!answer.retry_after.empty()) response.headers.Set("Retry-After", answer.retry_after);
    co_return response;
  }

  CallContext ctx_;
  net::HttpServer server_;
  Notifier changed_;
};

OtlpConfig Quick(std::string url) {
  return {.url = std::move(url),
          .gather = 1ms,
          .pauses = {5ms, 5ms},
          .longest_pause = 50ms,
          .flush = 5s};
}

std::vector<Span> TraceNamed(const std::string& id, std::size_t spans = 1) {
  std::vector<Span> trace;
  for (std::size_t i = 0; i < spans; ++i) {
    trace.push_back({.trace_id = Sha256Hex(id).substr(0, 32),
                     .span_id = Sha256Hex(id + std::to_string(i)).substr(0, 16),
                     .parent_id = {},
                     .name = "turn",
                     .begin = WallTime(1'700'000'000s + 5ns),
                     .end = WallTime(1'700'000'001s),
                     .attributes = {},
                     .failure = {}});
  }
  return trace;
}

std::unique_ptr<OtlpExporter> Started(OtlpConfig config, OtlpParts parts = {}) {
  auto exporter = OtlpExporter::Start(std::move(config), std::move(parts));
  EXPECT_TRUE(exporter) << Describe(exporter.error());
  return *std::move(exporter);
}

// The numbers once they are so: another thread counts them and wakes nobody, so they are looked at
// again and again, while the collector's loop goes on.
Task<engine::ExportMeter> MeterWhen(CallContext ctx, const OtlpExporter* exporter,
                                    std::function<bool(const engine::ExportMeter&)> holds) {
  const Deadline end = Deadline::At(ctx.clock().Now() + 15s);
  for (;;) {
    const engine::ExportMeter meter = exporter->meter();
    if (holds(meter) || end.HasPassed(ctx.clock().Now())) co_return meter;
    Alarm tick(ctx.executor(), ctx.clock());
    co_await tick.Wait(Deadline::At(ctx.clock().Now() + 1ms));
  }
}

bool IsEmpty(const engine::ExportMeter& meter) {
  return meter.queue_depth == 0;
}

CO_TEST(OtlpExporterTest, SendsSpansAsOtlpSaysTheyLook) {
  Collector collector(ctx);
  auto exporter = Started(Quick(collector.Url()), {.resource = {.version = "1.2", .instance = "i"},
                                                   .filter = [](json::object& told) {
                                                     if (told.contains("mail"))
                                                       told["mail"] = "[email]";
                                                   }});
  auto trace = TraceNamed("a");
  trace[0].kind = model::SpanKind::kServer;
  trace[0].attributes = {{"mail", "ann@x.example"}, {"n", 3}, {"ok", true}, {"part", 0.5}};
  trace[0].failure = ErrorCode::kWaitTimeout;
  trace.push_back(trace[0]);
  trace[1].span_id = "00000000000000ab";
  trace[1].parent_id = trace[0].span_id;
  exporter->Take(trace);
  EXPECT_TRUE(co_await collector.Came(1));

  const net::HttpRequest& request = collector.requests[0];
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.path, "/v1/traces");
  EXPECT_EQ(request.headers.Find("content-type"), "application/json");
  const json::object body = ParseJsonObject(request.body).value();
  const json::value& sent = body.at("resourceSpans").at(0);
  EXPECT_EQ(json::serialize(sent.at("resource")),
            R"({"attributes":[{"key":"service.name","value":{"stringValue":"falconer"}},)"
            R"({"key":"service.version","value":{"stringValue":"1.2"}},)"
            R"({"key":"service.instance.id","value":{"stringValue":"i"}}]})");
  const json::array spans = collector.SpansAt(0);
  EXPECT_EQ(spans.size(), 2U);
  EXPECT_EQ(json::serialize(spans.at(0)),
            R"({"traceId":")" + trace[0].trace_id + R"(","spanId":")" + trace[0].span_id +
                R"(","name":"turn","kind":2,"startTimeUnixNano":"1700000000000000005",)"
                R"("endTimeUnixNano":"1700000001000000000","attributes":[)"
                R"({"key":"mail","value":{"stringValue":"[email]"}},)"
                R"({"key":"n","value":{"intValue":"3"}},{"key":"ok","value":{"boolValue":true}},)"
                R"({"key":"part","value":{"doubleValue":5E-1}}],)"
                R"("status":{"code":2,"message":"WAIT_TIMEOUT"}})");
  EXPECT_EQ(spans.at(1).at("parentSpanId").as_string(), trace[0].span_id);
  const auto meter = co_await MeterWhen(ctx, exporter.get(), IsEmpty);
  EXPECT_EQ(meter.exported, 2U);
  EXPECT_EQ(meter.failures + meter.dropped + meter.retries, 0U);
  exporter.reset();
  co_await collector.Stop();
}

CO_TEST(OtlpExporterTest, TriesAgainWhenTheCollectorIsBusy) {
  Collector collector(ctx);
  collector.answers = {{.status = 429}, {.status = 503}};
  auto exporter = Started(Quick(collector.Url()));
  exporter->Take(TraceNamed("a"));
  EXPECT_TRUE(co_await collector.Came(3));

  const auto meter = co_await MeterWhen(ctx, exporter.get(), IsEmpty);
  EXPECT_EQ(meter.exported, 1U);
  EXPECT_EQ(meter.retries, 2U);
  EXPECT_EQ(meter.failures, 0U);
  EXPECT_EQ(collector.requests[0].body, collector.requests[2].body);
  exporter.reset();
  co_await collector.Stop();
}

CO_TEST(OtlpExporterTest, WaitsAsLongAsTheCollectorAsks) {
  Collector collector(ctx);
  collector.answers = {{.status = 503, .retry_after = "1"}};
  OtlpConfig config = Quick(collector.Url());
  config.longest_pause = 10s;
  auto exporter = Started(std::move(config));
  exporter->Take(TraceNamed("a"));
  EXPECT_TRUE(co_await collector.Came(1));
  const TimePoint asked = ctx.clock().Now();
  EXPECT_TRUE(co_await collector.Came(2));

  EXPECT_GE(ctx.clock().Now() - asked, 900ms);
  co_await MeterWhen(ctx, exporter.get(), IsEmpty);
  exporter.reset();
  co_await collector.Stop();
}

CO_TEST(OtlpExporterTest, DoesNotRepeatWhatIsRefused) {
  Collector collector(ctx);
  collector.answers = {{.status = 400}, {.body = R"({"partialSuccess":{"rejectedSpans":"2"}})"}};
  auto exporter = Started(Quick(collector.Url()));
  exporter->Take(TraceNamed("a", 3));
  const auto refused = co_await MeterWhen(ctx, exporter.get(), IsEmpty);
  exporter->Take(TraceNamed("b", 3));
  EXPECT_TRUE(co_await collector.Came(2));
  const auto partly = co_await MeterWhen(ctx, exporter.get(), IsEmpty);

  EXPECT_EQ(refused.failures, 3U);
  EXPECT_EQ(refused.retries, 0U);
  EXPECT_EQ(partly.failures, 5U);
  EXPECT_EQ(partly.exported, 1U);
  EXPECT_EQ(collector.requests.size(), 2U);
  exporter.reset();
  co_await collector.Stop();
}

CO_TEST(OtlpExporterTest, GivesUpAfterItsTriesAndGoesOn) {
  std::uint16_t port = 0;
  {
    Collector gone(ctx);
    port = gone.port();
    co_await gone.Stop();
  }
  auto exporter = Started(Quick("http://127.0.0.1:" + std::to_string(port) + "/v1/traces"));
  exporter->Take(TraceNamed("a", 2));
  const auto meter = co_await MeterWhen(ctx, exporter.get(), IsEmpty);

  EXPECT_EQ(meter.failures, 2U);
  EXPECT_EQ(meter.retries, 2U);
}

CO_TEST(OtlpExporterTest, DropsWhatHasNoRoomAndNeverWaits) {
  Collector collector(ctx);
  collector.answers = {{.is_never = true}};
  OtlpConfig config = Quick(collector.Url());
  config.queue = 10;
  config.batch = 4;
  config.flush = 1ms;
  auto exporter = Started(std::move(config));
  exporter->Take(TraceNamed("first", 4));
  EXPECT_TRUE(co_await collector.Came(1));
  for (int i = 0; i < 1000; ++i) exporter->Take(TraceNamed(std::to_string(i), 3));

  const auto meter = exporter->meter();
  EXPECT_EQ(meter.queue_depth, 10U);
  EXPECT_EQ(meter.dropped, 998U * 3);
  const auto later =
      co_await MeterWhen(ctx, exporter.get(), [](const auto& now) { return now.lag > 2ms; });
  EXPECT_GT(later.lag, 2ms);
  // The collector still does not answer: the end does not wait for it.
  exporter.reset();
  co_await collector.Stop();
}

CO_TEST(OtlpExporterTest, FlushesWhatWaitsWhenItEnds) {
  Collector collector(ctx);
  OtlpConfig config = Quick(collector.Url());
  config.gather = 1h;
  config.batch = 2;
  auto exporter = Started(std::move(config));
  exporter->Take(TraceNamed("a", 1));
  // Its end waits for the collector, which is served here.
  OneShot<bool> ended(ctx);
  std::jthread end([&] {
    exporter.reset();
    boost::asio::post(ctx.executor(), [&] { ended.Set(true); });
  });
  EXPECT_TRUE(co_await collector.Came(1));
  EXPECT_EQ(collector.SpansAt(0).size(), 1U);
  EXPECT_TRUE(co_await ended.Wait(ctx.WithTimeout(15s), "the exporter's end"));
  co_await collector.Stop();
}

Task<Result<std::string>> SecretNumber(policy::SecretReference reference, int number) {
  co_return reference.name + "." + reference.field + std::to_string(number);
}

CO_TEST(OtlpExporterTest, SendsHeadersWithSecretsAndLooksThemUpAgainWhenRefused) {
  Collector collector(ctx);
  collector.answers = {{.status = 401}};
  OtlpConfig config = Quick(collector.Url());
  config.headers = {ParseOtlpHeader("x-tenant=acme").value(),
                    ParseOtlpHeader("authorization=Bearer {secret:otlp:token}!").value()};
  std::atomic<int> asked = 0;
  auto exporter =
      Started(std::move(config), {.reveal = [&](const CallContext&, const auto& reference) {
                return SecretNumber(reference, ++asked);
              }});
  exporter->Take(TraceNamed("a"));
  const auto refused = co_await MeterWhen(ctx, exporter.get(), IsEmpty);
  exporter->Take(TraceNamed("b"));
  EXPECT_TRUE(co_await collector.Came(2));

  EXPECT_EQ(refused.failures, 1U);
  EXPECT_EQ(collector.requests[0].headers.Find("x-tenant"), "acme");
  EXPECT_EQ(collector.requests[0].headers.Find("authorization"), "Bearer otlp.token1!");
  EXPECT_EQ(collector.requests[1].headers.Find("authorization"), "Bearer otlp.token2!");
  co_await MeterWhen(ctx, exporter.get(), IsEmpty);
  exporter.reset();
  co_await collector.Stop();
}

CO_TEST(OtlpExporterTest, TrustsACollectorByItsAuthority) {
  const TempDir folder = TempDir::Create("falconer-otlp-").value();
  const test::OwnAuthority authority;
  const test::IssuedCertificate own = authority.Issue("IP:127.0.0.1");
  EXPECT_TRUE(WriteFileAtomic(folder.path() / "ca", authority.Pem()));
  EXPECT_TRUE(WriteFileAtomic(folder.path() / "cert", own.certificate));
  EXPECT_TRUE(WriteFileAtomic(folder.path() / "key", own.key));
  Collector collector(ctx, net::TlsIdentity::Load({.certificate = folder.path() / "cert",
                                                   .key = folder.path() / "key"})
                               .value());
  OtlpConfig config = Quick("https://127.0.0.1:" + std::to_string(collector.port()) + "/v1/traces");
  config.trust.authorities = folder.path() / "ca";
  auto exporter = Started(std::move(config));
  exporter->Take(TraceNamed("a"));

  EXPECT_TRUE(co_await collector.Came(1));
  const auto meter = co_await MeterWhen(ctx, exporter.get(), IsEmpty);
  EXPECT_EQ(meter.exported, 1U);
  exporter.reset();
  co_await collector.Stop();
}

CO_TEST(OtlpExporterTest, ExportsTheSampleAndNothingElse) {
  Collector collector(ctx);
  OtlpConfig config = Quick(collector.Url());
  config.sample_ratio = 0.25;
  auto exporter = Started(std::move(config));
  std::size_t chosen = 0;
  for (int i = 0; i < 400; ++i) {
    auto trace = TraceNamed("t" + std::to_string(i));
    if (IsSampled(trace[0].trace_id, 0.25)) ++chosen;
    exporter->Take(std::move(trace));
  }
  const auto meter = co_await MeterWhen(ctx, exporter.get(), IsEmpty);

  EXPECT_EQ(meter.exported, chosen);
  EXPECT_GT(chosen, 60U);
  EXPECT_LT(chosen, 140U);
  exporter.reset();
  co_await collector.Stop();
}

TEST(OtlpSamplingTest, FollowsFromTheId) {
  const std::string low = "0123456789abcdef0100000000000000";
  const std::string high = "0123456789abcdef01ffffffffffffff";
  EXPECT_TRUE(IsSampled(low, 1));
  EXPECT_FALSE(IsSampled(high, 0));
  EXPECT_FALSE(IsSampled(low, 0.5));
  EXPECT_TRUE(IsSampled(high, 0.5));
  EXPECT_TRUE(IsSampled("0123456789abcdef0180000000000000", 0.5));
  EXPECT_FALSE(IsSampled("0123456789abcdef017fffffffffffff", 0.5));
}

TEST(OtlpSettingsTest, ReadsWhereAndHow) {
  Settings settings = DefaultSettings();
  EXPECT_FALSE(OtlpFrom(settings).value());
  for (const auto& [said, meant] : std::map<std::string, std::string>{
           {"http://127.0.0.1:4318", "http://127.0.0.1:4318/v1/traces"},
           {"https://otel.example/in/", "https://otel.example/in/v1/traces"},
           {"https://otel.example/v1/traces", "https://otel.example/v1/traces"}}) {
    settings.telemetry.otlp_endpoint = said;
    const auto config = OtlpFrom(settings);
    ASSERT_TRUE(config && *config) << said;
    EXPECT_EQ((*config)->url, meant);
    EXPECT_EQ((*config)->sample_ratio, 1);
  }
  for (const char* bad :
       {"otel.example", "ftp://otel.example", "http://u@otel.example", "http://otel.example/?x"}) {
    settings.telemetry.otlp_endpoint = bad;
    const auto config = OtlpFrom(settings);
    ASSERT_FALSE(config) << bad;
    EXPECT_EQ(config.error().code(), ErrorCode::kInvalidSetting);
    EXPECT_NE(config.error().message().find("telemetry.otlp_endpoint"), std::string::npos);
  }
}

TEST(OtlpSettingsTest, ReadsHeaders) {
  const auto header = ParseOtlpHeader("Authorization = Basic {secret:a.b}{secret:c:user}");
  ASSERT_TRUE(header) << Describe(header.error());
  EXPECT_EQ(header->name, "Authorization");
  const std::vector<OtlpHeader::Piece> pieces = {
      {.text = "Basic "},
      {.text = "", .secret = policy::SecretReference{.name = "a.b"}},
      {.text = "", .secret = policy::SecretReference{.name = "c", .field = "user"}}};
  EXPECT_EQ(header->value, pieces);
  for (const char* bad :
       {"", "x", "=x", "a b=c", "a={secret:x", "a={secret:}", "a={secret:x y}", "a=b\r\nc: d"}) {
    EXPECT_FALSE(ParseOtlpHeader(bad)) << bad;
  }
}

}  // namespace
}  // namespace falconer::app
