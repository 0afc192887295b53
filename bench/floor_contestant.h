#pragma once
// The floor as a contestant: raw DevTools protocol over the pipe, doing nothing it need not do.

#include <memory>
#include <string>
#include <vector>

#include "bench/announcements.h"
#include "bench/child_process.h"
#include "bench/contestant.h"
#include "bench/floor_page.h"
#include "bench/temp_root.h"

namespace falconer::bench {

class FloorContestant : public Contestant {
 public:
  explicit FloorContestant(TempRoot& temp) : temp_(temp) {}
  ~FloorContestant() override { FloorContestant::Shut(); }

  std::string_view name() const override { return "floor"; }
  pid_t driver_pid() const override;
  Outcome<Measured> Launch(const Visit& first) override;
  void Shut() override;
  Outcome<Measured> OpenSession() override;
  Outcome<void> CloseSession() override;
  std::size_t sessions() const override { return pages_.size(); }
  Outcome<Measured> Navigate(std::size_t session, const Visit& visit) override;
  Outcome<Measured> Click(std::size_t session) override;
  Outcome<Measured> Fill(std::size_t session, std::string field, std::string text) override;
  Outcome<Measured> ReadState(std::size_t session, std::vector<std::string> marks) override;
  Outcome<Measured> ReadDelta(std::size_t session, std::string token) override;
  Outcome<Measured> Screenshot(std::size_t session) override;
  Outcome<CycleTotals> RunCycles(const CyclePlan& plan) override;

 private:
  struct CycleRun;

  Outcome<void> StartBrowser();
  void SeeEvent(const FloorClient::Event& event);
  FloorTask<CycleRun> Repeat(std::size_t session, CyclePlan plan,
                             std::chrono::steady_clock::time_point end);
  FloorTask<Outcome<void>> Cycle(std::size_t session, Visit visit, std::string field);

  TempRoot& temp_;
  std::string profile_;
  std::unique_ptr<ChildProcess> browser_;
  std::unique_ptr<FloorClient> client_;
  std::vector<FloorPage> pages_;
  Announcements announcements_;
};

}  // namespace falconer::bench
