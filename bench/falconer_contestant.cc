#include "bench/falconer_contestant.h"

#include <unistd.h>
#include <utility>

#include <boost/asio/co_spawn.hpp>

#include "base/async/task_scope.h"
#include "base/file.h"
#include "base/json/json.h"
#include "bench/switches.h"

namespace falconer::bench {
namespace {

constexpr std::size_t kActionsPerCycle = 4;
constexpr std::size_t kFailuresToStop = 5;
constexpr auto kPatience = std::chrono::seconds(30);

std::string Quoted(const std::string& text) {
  return json::serialize(json::string(text));
}

model::Target ById(const std::string& id) {
  return {.selector = model::MakeNamedSelector("id=" + id).value()};
}

Result<void> Expect(const json::value& seen, const json::value& wanted, std::string_view what) {
  if (seen == wanted) return {};
  return falconer::Fail(ErrorCode::kPostconditionFailed,
                        std::string(what) + ": " + json::serialize(seen));
}

}  // namespace

struct FalconerContestant::CycleRun {
  std::vector<std::string> nonces;  // of the complete cycles
  std::size_t failed = 0;
  std::string first_failure;
};

CallContext FalconerContestant::Context() {
  return CallContext(io_.get_executor(), clock_).WithTimeout(kPatience);
}

template <typename T>
Result<T> FalconerContestant::Run(Task<Result<T>> task) {
  std::optional<Result<T>> result;
  boost::asio::co_spawn(io_, std::move(task),
                        [&](const std::exception_ptr& thrown, Result<T> value) {
                          if (thrown) std::rethrow_exception(thrown);
                          result.emplace(std::move(value));
                          io_.stop();
                        });
  io_.restart();
  io_.run();
  return *std::move(result);
}

template <typename T>
Outcome<Measured> FalconerContestant::Timed(Task<Result<T>> task) {
  const TimePoint start = clock_.Now();
  const auto result = Run(std::move(task));
  const auto took = clock_.Now() - start;
  if (!result) return Fail(Describe(result.error()));
  return Measured{took};
}

pid_t FalconerContestant::driver_pid() const {
  return getpid();
}

Outcome<Measured> FalconerContestant::Launch(const Visit& first) {
  const TimePoint start = clock_.Now();
  browser::BrowserConfig config;
  config.executable = BrowserBinary();
  auto launched = Run(browser::Browser::Launch(Context(), std::move(config), {}));
  if (!launched) return Fail(Describe(launched.error()));
  browser_ = *std::move(launched);
  if (const auto opened = Run(OpenSeat()); !opened) return Fail(Describe(opened.error()));
  if (const auto loaded = Run(GoTo(0, first.url)); !loaded) return Fail(Describe(loaded.error()));
  const auto took = clock_.Now() - start;
  const auto nonce = Run(Evaluate(0, "bench.nonce"));
  if (!nonce || *nonce != json::value(std::string_view(first.nonce)))
    return Fail("another page is loaded");
  return Measured{took};
}

void FalconerContestant::Shut() {
  seats_.clear();
  browser_.reset();
  io_.restart();
  io_.poll();
}

Task<Result<void>> FalconerContestant::OpenSeat() {
  browser::SessionOptions options;
  // As large as everybody's window: pixels are memory.
  options.viewport = {.width = 1280, .height = 720};
  options.artifacts = temp_.MakeFolder("falconer");
  CO_TRY_ASSIGN(auto session,
                co_await browser_->NewSession(
                    Context(), SessionId("b" + std::to_string(++last_session_)), options));
  auto seat = std::make_unique<Seat>(std::move(session));
  CO_TRY_ASSIGN(const auto tab, seat->session->tabs().Active());
  seat->console = tab->console().on_entry().Subscribe(
      [this](const browser::ConsoleEntry& entry) { announcements_.Saw(entry.message); });
  seats_.push_back(std::move(seat));
  co_return Result<void>();
}

Outcome<Measured> FalconerContestant::OpenSession() {
  const TimePoint start = clock_.Now();
  if (const auto opened = Run(OpenSeat()); !opened) return Fail(Describe(opened.error()));
  if (const auto answered = Run(Evaluate(seats_.size() - 1, "1")); !answered)
    return Fail(Describe(answered.error()));
  return Measured{clock_.Now() - start};
}

Outcome<void> FalconerContestant::CloseSession() {
  const auto seat = std::move(seats_.back());
  seats_.pop_back();
  const auto close = [](CallContext ctx, browser::Session* session) -> Task<Result<void>> {
    co_await session->Close(std::move(ctx));
    co_return Result<void>();
  };
  if (const auto closed = Run(close(Context(), seat->session.get())); !closed)
    return Fail(Describe(closed.error()));
  return {};
}

Task<Result<void>> FalconerContestant::GoTo(std::size_t session, std::string url) {
  CO_TRY(co_await seats_[session]->driver.Perform(
      Context(), {.type = model::ActionType::kNavigate, .url = std::move(url)}));
  co_return Result<void>();
}

Outcome<Measured> FalconerContestant::Navigate(std::size_t session, const Visit& visit) {
  auto measured = Timed(GoTo(session, visit.url));
  const auto nonce = Run(Evaluate(session, "bench.nonce"));
  if (!nonce || *nonce != json::value(std::string_view(visit.nonce)))
    return Fail("another page is loaded");
  return measured;
}

Task<Result<json::value>> FalconerContestant::Evaluate(std::size_t session, std::string script) {
  CO_TRY_ASSIGN(const auto tab, seats_[session]->session->tabs().Active());
  CO_TRY_ASSIGN(auto reply, co_await tab->session()->Send(
                                Context(), cdp::RuntimeEvaluate{.expression = std::move(script),
                                                                .return_by_value = true}));
  co_return reply.result.value.value_or(json::value());
}

Task<Result<void>> FalconerContestant::ClickCounter(std::size_t session) {
  CO_TRY(co_await seats_[session]->driver.Perform(
      Context(), {.type = model::ActionType::kClick, .target = ById("increment")}));
  co_return Result<void>();
}

Outcome<Measured> FalconerContestant::Click(std::size_t session) {
  const auto before = Run(Evaluate(session, "bench.clicks"));
  if (!before) return Fail(Describe(before.error()));
  const TimePoint start = clock_.Now();
  if (const auto clicked = Run(ClickCounter(session)); !clicked)
    return Fail(Describe(clicked.error()));
  const auto after = Run(Evaluate(session, "bench.clicks"));
  const auto took = clock_.Now() - start;
  if (!after || after->to_number<int>() != before->to_number<int>() + 1)
    return Fail("the page counted no click");
  return Measured{took};
}

Task<Result<void>> FalconerContestant::FillField(std::size_t session, std::string field,
                                                 std::string text) {
  model::ActionSpec fill{.type = model::ActionType::kFill,
                         .target = ById(field),
                         .text = model::TextInput{.value = text}};
  CO_TRY(co_await seats_[session]->driver.Perform(Context(), std::move(fill)));
  CO_TRY_ASSIGN(const auto seen, co_await Evaluate(session, "bench.inputs[" + Quoted(field) + "]"));
  co_return Expect(seen, json::value(std::string_view(text)), "the page saw another text");
}

Outcome<Measured> FalconerContestant::Fill(std::size_t session, std::string field,
                                           std::string text) {
  return Timed(FillField(session, std::move(field), std::move(text)));
}

Task<Result<std::string>> FalconerContestant::Read(std::size_t session) {
  Seat& seat = *seats_[session];
  CO_TRY_ASSIGN(const auto tab, seat.session->tabs().Active());
  CO_TRY_ASSIGN(const auto state, co_await seat.extractor.Read(Context(), tab, {}));
  co_return json::serialize(state.ToModelJson());
}

Outcome<Measured> FalconerContestant::ReadState(std::size_t session,
                                                std::vector<std::string> marks) {
  const TimePoint start = clock_.Now();
  const auto reading = Run(Read(session));
  const auto took = clock_.Now() - start;
  if (!reading) return Fail(Describe(reading.error()));
  BENCH_TRY(RequireMarks(*reading, marks));
  return Measured{took, reading->size()};
}

Task<Result<std::string>> FalconerContestant::ReadChange(std::size_t session) {
  Seat& seat = *seats_[session];
  CO_TRY_ASSIGN(const auto tab, seat.session->tabs().Active());
  CO_TRY_ASSIGN(auto state, co_await seat.extractor.Read(Context(), tab, {}));
  CO_TRY_ASSIGN(const auto delta, seat.deltas.Track(tab->id(), std::move(state)));
  co_return json::serialize(delta.ToModelJson());
}

Outcome<Measured> FalconerContestant::ReadDelta(std::size_t session, std::string token) {
  // What the change is measured against.
  if (const auto base = Run(ReadChange(session)); !base) return Fail(Describe(base.error()));
  if (const auto changed = Run(Evaluate(session, "bench.change(" + Quoted(token) + ")")); !changed)
    return Fail(Describe(changed.error()));
  const TimePoint start = clock_.Now();
  const auto reading = Run(ReadChange(session));
  const auto took = clock_.Now() - start;
  if (!reading) return Fail(Describe(reading.error()));
  BENCH_TRY(RequireMarks(*reading, {token}));
  return Measured{took, reading->size()};
}

Outcome<Measured> FalconerContestant::Screenshot(std::size_t session) {
  const auto shoot = [](CallContext ctx, Seat* seat) -> Task<Result<std::uint64_t>> {
    CO_TRY_ASSIGN(
        const auto outcome,
        co_await seat->driver.Perform(std::move(ctx), {.type = model::ActionType::kScreenshot}));
    co_return outcome.artifact->bytes;
  };
  const TimePoint start = clock_.Now();
  const auto shot = Run(shoot(Context(), seats_[session].get()));
  if (!shot) return Fail(Describe(shot.error()));
  return Measured{clock_.Now() - start, *shot};
}

Task<Result<void>> FalconerContestant::Cycle(std::size_t session, Visit visit, std::string field) {
  CO_TRY(co_await GoTo(session, visit.url));
  CO_TRY_ASSIGN(const auto reading, co_await Read(session));
  if (const auto marks = RequireMarks(reading, visit.marks); !marks)
    co_return falconer::Fail(ErrorCode::kPostconditionFailed, marks.error());
  CO_TRY(co_await FillField(session, std::move(field), visit.nonce));
  CO_TRY(co_await ClickCounter(session));
  CO_TRY_ASSIGN(const auto clicks, co_await Evaluate(session, "bench.clicks"));
  co_return Expect(clicks, json::value(1), "the page counted no click");
}

Task<void> FalconerContestant::Repeat(std::size_t session, CyclePlan plan, TimePoint end,
                                      CycleRun* run) {
  for (int i = 0; clock_.Now() < end && run->failed < kFailuresToStop; ++i) {
    const auto nonce = plan.label + "s" + std::to_string(session) + "c" + std::to_string(i);
    const auto done = co_await Cycle(session, plan.site.AnnouncingForm(nonce), FieldName(i));
    if (done) {
      run->nonces.push_back(nonce);
    } else if (run->failed++ == 0) {
      run->first_failure = Describe(done.error());
    }
  }
}

Outcome<CycleTotals> FalconerContestant::RunCycles(const CyclePlan& plan) {
  while (seats_.size() < plan.sessions) BENCH_TRY(OpenSession());
  std::vector<CycleRun> runs(plan.sessions);
  const TimePoint start = clock_.Now();
  const auto all = [](FalconerContestant* self, CyclePlan of, TimePoint end,
                      std::vector<CycleRun>* into) -> Task<Result<void>> {
    TaskScope tasks(self->io_.get_executor());
    for (std::size_t i = 0; i < of.sessions; ++i)
      tasks.Spawn("bench.session", self->Repeat(i, of, end, &(*into)[i]));
    co_await tasks.Join();
    co_return Result<void>();
  };
  if (const auto ran = Run(all(this, plan, start + plan.length, &runs)); !ran)
    return Fail(Describe(ran.error()));
  CycleTotals totals;
  totals.took = clock_.Now() - start;
  for (const CycleRun& run : runs) {
    totals.actions += run.nonces.size() * kActionsPerCycle;
    totals.failed += run.failed;
    if (totals.first_failure.empty()) totals.first_failure = run.first_failure;
    for (const auto& nonce : run.nonces) totals.lost_events += announcements_.MissingOf(nonce);
  }
  return totals;
}

}  // namespace falconer::bench
