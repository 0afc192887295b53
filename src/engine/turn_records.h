#pragma once
// TurnRecords: what goes on record of one contract, in the tenant's chain: that it was refused,
// that its turn opened, how it ended. Callers are answered with what is on record, to the byte.

#include <optional>

#include "engine/plan_record.h"
#include "engine/sent_contract.h"

namespace falconer::engine {

class TurnRecords {
 public:
  // Whether a turn ends with the record, or was over before it.
  enum class Ends : std::uint8_t { kTurn, kNothing };
  struct Sealed {
    ledger::Receipt receipt;
    json::object answer;  // with its place in the ledger
  };

  // Both must outlive the records.
  TurnRecords(Runtime& runtime, const SentContract& sent) : runtime_(runtime), sent_(sent) {}

  // What the gates decided: part of the first record.
  DecisionLog& decisions() { return decisions_; }
  void set_plan(PlanRecord plan) { plan_ = std::move(plan); }
  // For a turn that an earlier process opened.
  void set_opened(std::uint64_t seq) { opened_seq_ = seq; }

  // All fail as the ledger does.
  Task<Result<kernel::AnswerBytes>> Refused(kernel::Verdict verdict,
                                            model::ActionExecutionResult result);
  Task<Result<ledger::Receipt>> Opened(TurnId turn);
  Task<Result<Sealed>> Closed(model::ActionExecutionResult result, Ends ends);
  // About a turn, and no end of it.
  Task<Result<kernel::AnswerBytes>> Unsealed(model::ActionExecutionResult result);

  static Result<kernel::AnswerBytes> BytesOf(const json::object& result);

 private:
  json::object About(const TurnId& turn) const;
  json::object Asked(const TurnId& turn) const;
  json::object Closing(const model::ActionExecutionResult& result, Ends ends) const;
  Task<Result<void>> KeepSnapshots();
  // Writes the record and answers with its result.
  Task<Result<kernel::AnswerBytes>> Answer(ledger::RecordKind kind, json::object payload);
  Task<Result<ledger::Receipt>> Write(ledger::RecordKind kind, json::object payload);
  model::LedgerPlace PlaceOf(const ledger::Receipt& receipt) const;

  Runtime& runtime_;
  const SentContract& sent_;
  DecisionLog decisions_;
  PlanRecord plan_;
  std::optional<std::uint64_t> opened_seq_;
};

}  // namespace falconer::engine
