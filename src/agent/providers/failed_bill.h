#pragma once
// FailedBill: what a try was charged with although no answer came of it: calls that nobody can
// carry out, a stream that was cut. It goes with the error, so that budgets can count it.

#include "agent/providers/chat_answer.h"
#include "base/error.h"

namespace falconer::agent {

struct FailedBill {
  TokenUsage usage = {};  // as far as the provider has said
  std::int64_t cost_micros = 0;

  void Add(const FailedBill& other);
  // To what the answer that came in the end has cost.
  void AddTo(ProviderAnswer& answer) const;
};

// The error with the bill in its details; the error itself when nothing was counted.
Error WithBill(Error error, const FailedBill& bill);
// Nothing counted when the error has none.
FailedBill BillOf(const Error& error);

}  // namespace falconer::agent
