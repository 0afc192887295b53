#include "bench/floor_contestant.h"

#include <filesystem>
#include <system_error>

#include "bench/switches.h"

namespace falconer::bench {
namespace json = boost::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::size_t kActionsPerCycle = 4;
constexpr std::size_t kFailuresToStop = 5;

// Runs the task and adds what it took.
template <typename T>
Outcome<Measured> Timed(FloorClient& client, FloorTask<Outcome<T>> task) {
  const auto start = Clock::now();
  auto result = client.Run(std::move(task));
  const auto took = Clock::now() - start;
  if (!result) return Fail(std::move(result).error());
  return Measured{took};
}

// As above for a task that answers with a text, which must show every mark.
Outcome<Measured> TimedRead(FloorClient& client, FloorTask<Outcome<std::string>> task,
                            const std::vector<std::string>& marks) {
  const auto start = Clock::now();
  auto result = client.Run(std::move(task));
  const auto took = Clock::now() - start;
  if (!result) return Fail(std::move(result).error());
  BENCH_TRY(RequireMarks(*result, marks));
  return Measured{took, result->size()};
}

std::string_view TextAt(const json::value& object, const char* pointer) {
  boost::system::error_code absent;
  const json::value* found = object.find_pointer(pointer, absent);
  return found != nullptr && found->is_string() ? std::string_view(found->get_string()) : "";
}

}  // namespace

struct FloorContestant::CycleRun {
  std::vector<std::string> nonces;  // of the complete cycles
  std::size_t failed = 0;
  std::string first_failure;
};

pid_t FloorContestant::driver_pid() const {
  return getpid();
}

Outcome<Measured> FloorContestant::Launch(const Visit& first) {
  const auto start = Clock::now();
  BENCH_TRY(StartBrowser());
  BENCH_TRY(OpenSession());
  BENCH_TRY(client_->Run(pages_[0].Navigate(first.url)));
  const auto took = Clock::now() - start;
  BENCH_TRY(client_->Run(pages_[0].ConfirmNonce(first.nonce)));
  return Measured{took};
}

Outcome<void> FloorContestant::StartBrowser() {
  profile_ = temp_.MakeFolder("floor");
  ChildSpec spec{.argv = {BrowserBinary(), "--remote-debugging-pipe", "--no-startup-window",
                          "--user-data-dir=" + profile_,
                          "--disable-features=PaintHolding,HttpsUpgrades,Translate,MediaRouter"},
                 .environment = {"TMPDIR=" + profile_},
                 .reads_from = 3,
                 .writes_to = 4};
  for (auto& each : LeanSwitches()) spec.argv.push_back(std::move(each));
  BENCH_TRY_ASSIGN(browser_, ChildProcess::Start(spec));
  client_ = std::make_unique<FloorClient>(browser_->to_child(), browser_->from_child());
  client_->OnEvent([this](const FloorClient::Event& event) { SeeEvent(event); });
  return {};
}

void FloorContestant::Shut() {
  pages_.clear();
  client_.reset();
  browser_.reset();
  std::error_code ignored;
  if (!profile_.empty()) std::filesystem::remove_all(profile_, ignored);
}

void FloorContestant::SeeEvent(const FloorClient::Event& event) {
  if (event.method == "Runtime.consoleAPICalled") {
    return announcements_.Saw(TextAt(event.params, "/args/0/value"));
  }
  for (FloorPage& page : pages_) {
    if (page.session() != event.session) continue;
    const auto child = TextAt(event.params, "/sessionId");
    if (event.method == "Target.attachedToTarget") page.FrameAttached(std::string(child));
    if (event.method == "Target.detachedFromTarget") page.FrameDetached(child);
  }
}

Outcome<Measured> FloorContestant::OpenSession() {
  const auto start = Clock::now();
  BENCH_TRY_ASSIGN(auto page, client_->Run(FloorPage::Open(client_.get())));
  const auto took = Clock::now() - start;
  pages_.push_back(std::move(page));
  return Measured{took};
}

Outcome<void> FloorContestant::CloseSession() {
  FloorPage page = std::move(pages_.back());
  pages_.pop_back();
  return client_->Run(page.Close());
}

Outcome<Measured> FloorContestant::Navigate(std::size_t session, const Visit& visit) {
  BENCH_TRY_ASSIGN(auto measured, Timed(*client_, pages_[session].Navigate(visit.url)));
  BENCH_TRY(client_->Run(pages_[session].ConfirmNonce(visit.nonce)));
  return measured;
}

Outcome<Measured> FloorContestant::Click(std::size_t session) {
  return Timed(*client_, pages_[session].Click());
}

Outcome<Measured> FloorContestant::Fill(std::size_t session, std::string field, std::string text) {
  return Timed(*client_, pages_[session].Fill(std::move(field), std::move(text)));
}

Outcome<Measured> FloorContestant::ReadState(std::size_t session, std::vector<std::string> marks) {
  return TimedRead(*client_, pages_[session].Read(), marks);
}

// The floor has no memory of the page: to know what changed it must read everything again.
Outcome<Measured> FloorContestant::ReadDelta(std::size_t session, std::string token) {
  BENCH_TRY(client_->Run(pages_[session].Change(token)));
  return TimedRead(*client_, pages_[session].Read(), {token});
}

Outcome<Measured> FloorContestant::Screenshot(std::size_t session) {
  // How every PNG starts, in base64.
  return TimedRead(*client_, pages_[session].Screenshot(), {"iVBORw0KGgo"});
}

FloorTask<Outcome<void>> FloorContestant::Cycle(std::size_t session, Visit visit,
                                                std::string field) {
  FloorPage& page = pages_[session];
  BENCH_CO_TRY(co_await page.Navigate(visit.url));
  BENCH_CO_TRY_ASSIGN(const auto reading, co_await page.Read());
  BENCH_CO_TRY(RequireMarks(reading, visit.marks));
  BENCH_CO_TRY(co_await page.Fill(std::move(field), visit.nonce));
  co_return co_await page.Click();
}

FloorTask<FloorContestant::CycleRun> FloorContestant::Repeat(std::size_t session, CyclePlan plan,
                                                             Clock::time_point end) {
  CycleRun run;
  for (int i = 0; Clock::now() < end && run.failed < kFailuresToStop; ++i) {
    const auto nonce = plan.label + "s" + std::to_string(session) + "c" + std::to_string(i);
    auto done = co_await Cycle(session, plan.site.AnnouncingForm(nonce), FieldName(i));
    if (done) {
      run.nonces.push_back(nonce);
    } else if (run.failed++ == 0) {
      run.first_failure = std::move(done).error();
    }
  }
  co_return run;
}

Outcome<CycleTotals> FloorContestant::RunCycles(const CyclePlan& plan) {
  while (pages_.size() < plan.sessions) BENCH_TRY(OpenSession());
  for (FloorPage& page : pages_) BENCH_TRY(client_->Run(page.ListenToConsole()));
  const auto start = Clock::now();
  std::vector<FloorTask<CycleRun>> tasks;
  tasks.reserve(plan.sessions);
  for (std::size_t i = 0; i < plan.sessions; ++i) {
    tasks.push_back(Repeat(i, plan, start + plan.length));
  }
  CycleTotals totals;
  const auto runs = client_->RunAll(std::move(tasks));
  totals.took = Clock::now() - start;
  for (const CycleRun& run : runs) {
    totals.actions += run.nonces.size() * kActionsPerCycle;
    totals.failed += run.failed;
    if (totals.first_failure.empty()) totals.first_failure = run.first_failure;
    for (const auto& nonce : run.nonces) totals.lost_events += announcements_.MissingOf(nonce);
  }
  return totals;
}

}  // namespace falconer::bench
