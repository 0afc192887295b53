#pragma once
// Playwright as a contestant: a Node child that does and measures the operations itself, so that
// the commands to it cost nothing in the figures. Needs Node and the peer that bench/package.json
// pins.

#include <memory>
#include <string>
#include <vector>

#include <boost/json/object.hpp>

#include "bench/child_process.h"
#include "bench/contestant.h"
#include "bench/temp_root.h"

namespace falconer::bench {

class PlaywrightContestant : public Contestant {
 public:
  explicit PlaywrightContestant(TempRoot& temp) : temp_(temp) {}

  std::string_view name() const override { return "playwright"; }
  pid_t driver_pid() const override { return node_ ? node_->pid() : 0; }
  Outcome<Measured> Launch(const Visit& first) override;
  void Shut() override;
  Outcome<Measured> OpenSession() override;
  Outcome<void> CloseSession() override;
  std::size_t sessions() const override { return sessions_; }
  Outcome<Measured> Navigate(std::size_t session, const Visit& visit) override;
  Outcome<Measured> Click(std::size_t session) override;
  Outcome<Measured> Fill(std::size_t session, std::string field, std::string text) override;
  Outcome<Measured> ReadState(std::size_t session, std::vector<std::string> marks) override;
  Outcome<Measured> ReadDelta(std::size_t session, std::string token) override;
  Outcome<Measured> Screenshot(std::size_t session) override;
  Outcome<CycleTotals> RunCycles(const CyclePlan& plan) override;

 private:
  Outcome<void> StartNode();
  Outcome<boost::json::object> Ask(std::string_view operation, boost::json::object arguments);
  Outcome<Measured> Measure(std::string_view operation, boost::json::object arguments);

  TempRoot& temp_;
  std::unique_ptr<ChildProcess> node_;
  std::unique_ptr<LineChannel> lines_;
  std::size_t sessions_ = 0;
};

}  // namespace falconer::bench
