#pragma once
// RunBudget: what a run has used of what it may: steps, failures in a row, tokens, money.

#include <cstdint>
#include <optional>

#include "agent/loop/run_config.h"
#include "agent/loop/run_state.h"
#include "agent/loop/run_step.h"

namespace falconer::agent {

class RunBudget {
 public:
  explicit RunBudget(const RunConfig& config) : config_(config) {}

  // An answer of a model was paid for.
  void Pay(const RunStep& step);
  // A step is over.
  void Take(const RunStep& step);

  // Why the model may not be asked once more, with a request of so many tokens.
  std::optional<StopReason> CheckAsk(std::size_t request_tokens) const;
  // How long its answer may be then, at most `most`.
  std::int64_t AnswerTokens(std::size_t request_tokens, std::int64_t most) const;
  // Why what it answered may not be carried out.
  std::optional<StopReason> CheckPaid() const;
  // Why there is no next step.
  std::optional<StopReason> CheckStep() const;

  std::int64_t steps() const { return steps_; }
  std::int64_t tokens() const { return tokens_; }
  std::int64_t cost_micros() const { return cost_micros_; }
  std::int64_t denials() const { return denials_; }

 private:
  const RunConfig& config_;
  std::int64_t steps_ = 0;
  std::int64_t failures_ = 0;  // in a row
  std::int64_t denials_ = 0;   // steps in which something was denied
  std::int64_t tokens_ = 0;
  std::int64_t cost_micros_ = 0;
};

// The first denial is told to the model, which may find another way; the second ends the run.
inline constexpr std::int64_t kMostDenials = 2;

}  // namespace falconer::agent
