#pragma once
// Falconer as a contestant: the driver as the product uses it, nothing switched off.

#include <memory>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "bench/announcements.h"
#include "bench/contestant.h"
#include "bench/temp_root.h"
#include "browser/browser.h"
#include "browser/driver.h"
#include "browser/state/delta_state_tracker.h"
#include "browser/state/structured_state_extractor.h"

namespace falconer::bench {

class FalconerContestant : public Contestant {
 public:
  explicit FalconerContestant(TempRoot& temp) : temp_(temp) {}
  ~FalconerContestant() override { FalconerContestant::Shut(); }

  std::string_view name() const override { return "falconer"; }
  pid_t driver_pid() const override;
  Outcome<Measured> Launch(const Visit& first) override;
  void Shut() override;
  Outcome<Measured> OpenSession() override;
  Outcome<void> CloseSession() override;
  std::size_t sessions() const override { return seats_.size(); }
  Outcome<Measured> Navigate(std::size_t session, const Visit& visit) override;
  Outcome<Measured> Click(std::size_t session) override;
  Outcome<Measured> Fill(std::size_t session, std::string field, std::string text) override;
  Outcome<Measured> ReadState(std::size_t session, std::vector<std::string> marks) override;
  Outcome<Measured> ReadDelta(std::size_t session, std::string token) override;
  Outcome<Measured> Screenshot(std::size_t session) override;
  Outcome<CycleTotals> RunCycles(const CyclePlan& plan) override;

 private:
  // One session with what drives it.
  struct Seat {
    explicit Seat(std::shared_ptr<browser::Session> opened)
        : session(std::move(opened)), driver(*session), extractor(*session) {}
    std::shared_ptr<browser::Session> session;
    browser::Driver driver;
    browser::StructuredStateExtractor extractor;
    browser::DeltaStateTracker deltas{{}};
    Subscription console;
  };
  struct CycleRun;

  CallContext Context();
  template <typename T>
  Result<T> Run(Task<Result<T>> task);
  template <typename T>
  Outcome<Measured> Timed(Task<Result<T>> task);

  Task<Result<void>> OpenSeat();
  Task<Result<void>> GoTo(std::size_t session, std::string url);
  Task<Result<void>> ClickCounter(std::size_t session);
  Task<Result<void>> FillField(std::size_t session, std::string field, std::string text);
  Task<Result<std::string>> Read(std::size_t session);
  Task<Result<std::string>> ReadChange(std::size_t session);
  Task<Result<json::value>> Evaluate(std::size_t session, std::string script);
  Task<Result<void>> Cycle(std::size_t session, Visit visit, std::string field);
  Task<void> Repeat(std::size_t session, CyclePlan plan, TimePoint end, CycleRun* run);

  TempRoot& temp_;
  SystemClock clock_;
  boost::asio::io_context io_;
  std::unique_ptr<browser::Browser> browser_;
  std::vector<std::unique_ptr<Seat>> seats_;
  Announcements announcements_;
  std::uint64_t last_session_ = 0;
};

}  // namespace falconer::bench
