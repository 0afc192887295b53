#include "bench/playwright_contestant.h"

#include <algorithm>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "bench/environment.h"
#include "bench/switches.h"

namespace falconer::bench {
namespace json = boost::json;

namespace {

// Longer than the longest cycle run; a stuck peer ends the benchmark instead of hanging it.
constexpr auto kPatience = std::chrono::minutes(5);

json::array ToArray(const std::vector<std::string>& texts) {
  json::array out;
  for (const auto& text : texts) out.emplace_back(text);
  return out;
}

std::size_t CountAt(const json::object& object, std::string_view key) {
  const json::value* found = object.if_contains(key);
  boost::system::error_code ignored;
  return found != nullptr ? found->to_number<std::size_t>(ignored) : 0;
}

std::string TextAt(const json::object& object, std::string_view key) {
  const json::value* found = object.if_contains(key);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : "";
}

}  // namespace

Outcome<void> PlaywrightContestant::StartNode() {
  const auto folder = temp_.MakeFolder("playwright");
  BENCH_TRY_ASSIGN(node_,
                   ChildProcess::Start({
                       .argv = {FromEnvironment("BENCH_NODE", "node"), BENCH_PLAYWRIGHT_SCRIPT},
                       .environment = {"TMPDIR=" + folder},
                       .stderr_file = folder + "/stderr.log",
                   }));
  lines_ = std::make_unique<LineChannel>(*node_);
  return {};
}

Outcome<json::object> PlaywrightContestant::Ask(std::string_view operation,
                                                json::object arguments) {
  if (!node_) return Fail("playwright has not been launched");
  arguments["op"] = operation;
  BENCH_TRY(lines_->Write(json::serialize(arguments)));
  BENCH_TRY_ASSIGN(const auto line, lines_->Read(kPatience));
  boost::system::error_code failed;
  json::value answer = json::parse(line, failed);
  if (failed || !answer.is_object()) return Fail("playwright answered something that is not JSON");
  json::object& fields = answer.get_object();
  if (const json::value* ok = fields.if_contains("ok"); ok == nullptr || *ok != json::value(true)) {
    return Fail(TextAt(fields, "error"));
  }
  return std::move(fields);
}

Outcome<Measured> PlaywrightContestant::Measure(std::string_view operation,
                                                json::object arguments) {
  BENCH_TRY_ASSIGN(const auto answer, Ask(operation, std::move(arguments)));
  return Measured{Nanos(CountAt(answer, "nanos")), CountAt(answer, "bytes")};
}

Outcome<Measured> PlaywrightContestant::Launch(const Visit& first) {
  if (!node_) BENCH_TRY(StartNode());
  BENCH_TRY_ASSIGN(auto measured, Measure("launch", {{"binary", BrowserBinary()},
                                                     {"switches", ToArray(LeanSwitches())},
                                                     {"url", first.url},
                                                     {"nonce", first.nonce}}));
  sessions_ = 1;
  return measured;
}

void PlaywrightContestant::Shut() {
  // A peer that cannot even shut is ended with its browser; Launch starts a fresh one.
  if (node_ && !Ask("shut", {})) {
    lines_.reset();
    node_.reset();
  }
  sessions_ = 0;
}

Outcome<Measured> PlaywrightContestant::OpenSession() {
  BENCH_TRY_ASSIGN(auto measured, Measure("open_session", {}));
  ++sessions_;
  return measured;
}

Outcome<void> PlaywrightContestant::CloseSession() {
  BENCH_TRY(Ask("close_session", {}));
  --sessions_;
  return {};
}

Outcome<Measured> PlaywrightContestant::Navigate(std::size_t session, const Visit& visit) {
  return Measure("navigate", {{"session", session}, {"url", visit.url}, {"nonce", visit.nonce}});
}

Outcome<Measured> PlaywrightContestant::Click(std::size_t session) {
  return Measure("click", {{"session", session}});
}

Outcome<Measured> PlaywrightContestant::Fill(std::size_t session, std::string field,
                                             std::string text) {
  return Measure("fill", {{"session", session}, {"field", field}, {"text", text}});
}

Outcome<Measured> PlaywrightContestant::ReadState(std::size_t session,
                                                  std::vector<std::string> marks) {
  return Measure("read_state", {{"session", session}, {"marks", ToArray(marks)}});
}

// Playwright's public interface has no difference between snapshots: it takes a whole one again.
Outcome<Measured> PlaywrightContestant::ReadDelta(std::size_t session, std::string token) {
  return Measure("read_delta", {{"session", session}, {"token", token}});
}

Outcome<Measured> PlaywrightContestant::Screenshot(std::size_t session) {
  return Measure("screenshot", {{"session", session}});
}

Outcome<CycleTotals> PlaywrightContestant::RunCycles(const CyclePlan& plan) {
  BENCH_TRY_ASSIGN(const auto answer, Ask("run_cycles", {{"sessions", plan.sessions},
                                                         {"millis", plan.length.count()},
                                                         {"origin", plan.site.origin},
                                                         {"label", plan.label}}));
  sessions_ = std::max(sessions_, plan.sessions);
  return CycleTotals{.actions = CountAt(answer, "actions"),
                     .failed = CountAt(answer, "failed"),
                     .lost_events = CountAt(answer, "lost_events"),
                     .took = Nanos(CountAt(answer, "nanos")),
                     .first_failure = TextAt(answer, "first_failure")};
}

}  // namespace falconer::bench
