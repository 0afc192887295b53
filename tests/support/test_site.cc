#include "tests/support/test_site.h"

#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <thread>
#include <utility>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "base/check.h"
#include "net/http_server.h"

namespace falconer::test {

namespace asio = boost::asio;
using net::HttpRequest;
using net::HttpResponse;
using net::HttpServer;

namespace {

constexpr int kBindTries = 20;
constexpr auto kStopGrace = std::chrono::milliseconds(50);

std::string Origin(const std::string& host, std::uint16_t port) {
  return "http://" + host + ":" + std::to_string(port);
}

Task<HttpResponse> AnswerNow(TestSite::Answer answer, HttpRequest request) {
  co_return answer(request);
}

bool IsPage(std::string_view path) {
  return path.ends_with(".html") || path.ends_with(".js") || path == "/effect";
}

}  // namespace

class TestSite::Impl {
 public:
  Impl() {
    Listen();
    thread_ = std::thread([this] { io_.run(); });
  }

  // NOLINTNEXTLINE(bugprone-exception-escape): only when memory runs out, which ends any test
  ~Impl() {
    asio::co_spawn(io_, StopAll(), [this](const std::exception_ptr& /*failure*/) { io_.stop(); });
    thread_.join();
  }

  void On(std::string path, net::HttpHandler handler) {
    const std::lock_guard lock(mutex_);
    handlers_.insert_or_assign(std::move(path), std::move(handler));
  }
  void Hold(std::string path) {
    const std::lock_guard lock(mutex_);
    held_.insert(std::move(path));
  }
  void Release(const std::string& path) {
    const std::lock_guard lock(mutex_);
    held_.erase(path);
    WakeHeld();
  }
  void MakeFlaky(std::uint32_t seed, double probability) {
    const std::lock_guard lock(mutex_);
    flaky_.emplace(Flaky{.random = std::mt19937(seed), .probability = probability});
  }
  void Reset();

  const SiteOrigins& origins() const { return origins_; }
  SiteJournal& journal() { return journal_; }

 private:
  struct Flaky {
    std::mt19937 random;
    double probability;
  };

  void Listen();
  bool TryListen();
  std::unique_ptr<HttpServer> MakeServer(std::string address, std::uint16_t port);
  Task<void> StopAll();
  Task<HttpResponse> Answer(HttpRequest request);
  bool IsHeld(const std::string& path) const;
  bool ShouldFail(std::string_view path);
  net::HttpHandler HandlerFor(const std::string& path) const;
  void WakeHeld() {
    asio::post(io_, [this] { released_.NotifyAll(); });
  }

  SystemClock clock_;
  asio::io_context io_;
  CallContext ctx_{io_.get_executor(), clock_};
  SiteJournal journal_;
  SiteOrigins origins_;
  Notifier released_;
  mutable std::mutex mutex_;  // guards the next three
  std::map<std::string, net::HttpHandler> handlers_;
  std::set<std::string> held_;
  std::optional<Flaky> flaky_;
  std::vector<std::unique_ptr<HttpServer>> servers_;
  std::thread thread_;
};

std::unique_ptr<HttpServer> TestSite::Impl::MakeServer(std::string address, std::uint16_t port) {
  return std::make_unique<HttpServer>(
      ctx_.executor(), clock_, [this](HttpRequest request) { return Answer(std::move(request)); },
      net::HttpServerOptions{
          .address = std::move(address), .port = port, .max_body_bytes = std::size_t{512} << 20});
}

// Another program may have the port of the first listener on the second address: then try again.
// What listens already is kept until the end.
bool TestSite::Impl::TryListen() {
  servers_.push_back(MakeServer("127.0.0.1", 0));
  if (!servers_.back()->Listen()) return false;
  const auto port = servers_.back()->port();
  servers_.push_back(MakeServer("127.0.0.2", port));
  if (!servers_.back()->Listen()) return false;
  servers_.push_back(MakeServer("127.0.0.1", 0));
  if (!servers_.back()->Listen()) return false;
  origins_ = {.main = Origin("127.0.0.1", port),
              .other_origin = Origin("127.0.0.1", servers_.back()->port()),
              .cross_site = Origin("localhost", port),
              .third_site = Origin("127.0.0.2", port)};
  return true;
}

void TestSite::Impl::Listen() {
  bool is_listening = false;
  for (int i = 0; i < kBindTries && !is_listening; ++i) is_listening = TryListen();
  CHECK(is_listening, "the test site found no free port");
}

// Streams and held requests never end by themselves, so nobody waits long for them.
Task<void> TestSite::Impl::StopAll() {
  for (const auto& server : servers_) co_await server->Stop(ctx_.WithTimeout(kStopGrace));
}

void TestSite::Impl::Reset() {
  journal_.Clear();
  const std::lock_guard lock(mutex_);
  handlers_.clear();
  held_.clear();
  flaky_.reset();
  WakeHeld();
}

bool TestSite::Impl::IsHeld(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  return held_.contains(path);
}

bool TestSite::Impl::ShouldFail(std::string_view path) {
  const std::lock_guard lock(mutex_);
  if (!flaky_ || IsPage(path)) return false;
  return std::uniform_real_distribution<double>(0, 1)(flaky_->random) < flaky_->probability;
}

net::HttpHandler TestSite::Impl::HandlerFor(const std::string& path) const {
  const std::lock_guard lock(mutex_);
  const auto at = handlers_.find(path);
  return at == handlers_.end() ? net::HttpHandler() : at->second;
}

Task<HttpResponse> TestSite::Impl::Answer(HttpRequest request) {
  journal_.Add(request);
  const std::string path = request.path;
  co_await released_.Until(ctx_, [&] { return !IsHeld(path); }, "release");
  if (ShouldFail(path)) co_return net::TextResponse(503, "text/plain", "flaky");
  if (const auto handler = HandlerFor(path)) co_return co_await handler(std::move(request));
  const SiteServices services{.ctx = ctx_, .journal = &journal_, .origins = origins_};
  if (const auto* route = FindRoute(path)) {
    co_return co_await route->answer(services, std::move(request));
  }
  co_return PageResponse(origins_, path == "/" ? "/empty.html" : path);
}

TestSite::TestSite() : impl_(std::make_unique<Impl>()) {
}

TestSite::~TestSite() = default;

std::string TestSite::Url(std::string_view path) const {
  return impl_->origins().main + std::string(path);
}

std::string TestSite::OtherOriginUrl(std::string_view path) const {
  return impl_->origins().other_origin + std::string(path);
}

std::string TestSite::CrossSiteUrl(std::string_view path) const {
  return impl_->origins().cross_site + std::string(path);
}

std::string TestSite::ThirdSiteUrl(std::string_view path) const {
  return impl_->origins().third_site + std::string(path);
}

void TestSite::On(std::string path, Answer answer) {
  impl_->On(std::move(path), [answer = std::move(answer)](HttpRequest request) {
    return AnswerNow(answer, std::move(request));
  });
}

void TestSite::OnAsync(std::string path, net::HttpHandler handler) {
  impl_->On(std::move(path), std::move(handler));
}

void TestSite::Serve(std::string path, std::string html) {
  On(std::move(path),
     [html = std::move(html)](const HttpRequest& /*request*/) { return HtmlResponse(html); });
}

void TestSite::Hold(std::string path) {
  impl_->Hold(std::move(path));
}

void TestSite::Release(const std::string& path) {
  impl_->Release(path);
}

void TestSite::MakeFlaky(std::uint32_t seed, double probability) {
  impl_->MakeFlaky(seed, probability);
}

void TestSite::Reset() {
  impl_->Reset();
}

const SiteJournal& TestSite::journal() const {
  return impl_->journal();
}

std::size_t TestSite::RequestCount(std::string_view path) const {
  return journal().RequestCount(path);
}

std::size_t TestSite::EffectCount(std::string_view name) const {
  return journal().EffectCount(name);
}

std::vector<HttpRequest> TestSite::Requests(std::string_view path) const {
  return journal().Requests(path);
}

std::vector<Effect> TestSite::Effects(std::string_view name) const {
  return journal().Effects(name);
}

Task<Result<void>> TestSite::UntilRequests(CallContext ctx, std::string path, std::size_t count) {
  co_return co_await impl_->journal().Until(
      ctx, [&] { return RequestCount(path) >= count; }, "requests to " + path);
}

Task<Result<void>> TestSite::UntilEffects(CallContext ctx, std::string name, std::size_t count) {
  co_return co_await impl_->journal().Until(
      ctx, [&] { return EffectCount(name) >= count; }, "effects named " + name);
}

}  // namespace falconer::test
