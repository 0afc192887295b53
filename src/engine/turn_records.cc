#include "engine/turn_records.h"

#include <utility>

#include "base/hex.h"
#include "base/json/canonical_json.h"
#include "engine/recordable.h"
#include "engine/replay/record_fields.h"
#include "engine/replay/turn_end.h"
#include "kernel/gates/domain_gate.h"

namespace falconer::engine {

using ledger::RecordKind;

Task<Result<kernel::AnswerBytes>> TurnRecords::Refused(kernel::Verdict verdict,
                                                       model::ActionExecutionResult result) {
  json::object payload = Asked(TurnId());
  payload["gate"] = std::string_view(verdict.gate);
  payload["reason"] = std::string_view(verdict.reason);
  payload["failure_code"] = TraitsOf(result.failure->code).name;
  payload["result"] = result.ToJson();
  if (!sent_.contract) {
    // What is said of a contract quotes it, and it may have been anything.
    json::value whole = std::move(payload);
    MakeRecordable(whole);
    payload = std::move(whole.get_object());
  }
  CO_TRY(co_await KeepSnapshots());
  co_return co_await Answer(RecordKind::kRefusal, std::move(payload));
}

Task<Result<ledger::Receipt>> TurnRecords::Opened(TurnId turn) {
  json::object payload = Asked(turn);
  payload.insert(plan_.fields.begin(), plan_.fields.end());
  CO_TRY(co_await KeepSnapshots());
  CO_TRY_ASSIGN(ledger::Receipt receipt,
                co_await Write(RecordKind::kTurnOpened, std::move(payload)));
  opened_seq_ = receipt.seq;
  co_return receipt;
}

Task<Result<TurnRecords::Sealed>> TurnRecords::Closed(model::ActionExecutionResult result,
                                                      Ends ends) {
  json::object payload = Closing(result, ends);
  runtime_.parts().scrubber.Scrub(payload);
  // What is answered is what is recorded, to the byte, and so is what the digest is of.
  json::object& recorded = payload["result"].as_object();
  CO_TRY_ASSIGN(const std::string digest, model::ActionExecutionResult::EvidenceDigestOf(recorded));
  recorded["evidence_digest"] = std::string_view(digest);
  json::object answer = recorded;
  CO_TRY_ASSIGN(ledger::Receipt receipt,
                co_await Write(RecordKind::kTurnClosed, std::move(payload)));
  answer["ledger"] = PlaceOf(receipt).ToJson();
  co_return Sealed{receipt, std::move(answer)};
}

json::object TurnRecords::Closing(const model::ActionExecutionResult& result, Ends ends) const {
  json::object payload = About(result.turn_id);
  payload["success"] = result.success;
  if (result.failure) payload["failure_code"] = TraitsOf(result.failure->code).name;
  payload["plan"] = std::string_view(plan_.hash);
  // By which whoever asks for this answer later is judged.
  if (!sent_.page_url.empty())
    payload["page_url"] = std::string_view(sent_.page_url).substr(0, kernel::kMaxFactUrl);
  if (opened_seq_) payload["opened"] = *opened_seq_;
  if (ends == Ends::kTurn) payload["end"] = EndJson(EndOf(result));
  payload["result"] = result.ToJson();
  return payload;
}

Task<Result<kernel::AnswerBytes>> TurnRecords::Unsealed(model::ActionExecutionResult result) {
  json::object payload = About(result.turn_id);
  payload["failure_code"] = TraitsOf(result.failure->code).name;
  payload["result"] = result.ToJson();
  return Answer(RecordKind::kDecision, std::move(payload));
}

Task<Result<kernel::AnswerBytes>> TurnRecords::Answer(RecordKind kind, json::object payload) {
  runtime_.parts().scrubber.Scrub(payload);
  CO_TRY_ASSIGN(auto result, model::ActionExecutionResult::FromJson(payload.at("result")));
  CO_TRY_ASSIGN(const auto receipt, co_await Write(kind, std::move(payload)));
  runtime_.parts().actions.Saw(sent_.caller.tenant, receipt.seq);
  result.ledger = PlaceOf(receipt);
  co_return BytesOf(result.ToJson());
}

// Written once per chain; before the first record that refers to them.
Task<Result<void>> TurnRecords::KeepSnapshots() {
  plan_.Refer(sent_.admission);
  co_return co_await runtime_.KeepSnapshots(sent_.caller.tenant, plan_.snapshots);
}

Task<Result<ledger::Receipt>> TurnRecords::Write(RecordKind kind, json::object payload) {
  return runtime_.parts().ledger.Append(sent_.caller.tenant,
                                        {.kind = kind, .payload = std::move(payload)});
}

json::object TurnRecords::About(const TurnId& turn) const {
  json::object about{{"workflow", std::string_view(sent_.key.workflow.value())},
                     {"agent", std::string_view(sent_.caller.agent)}};
  if (!sent_.caller.person.empty()) about["person"] = std::string_view(sent_.caller.person);
  if (sent_.session) about["session"] = std::string_view(sent_.session->id.value());
  if (!turn.empty()) about["turn_id"] = std::string_view(turn.value());
  if (!sent_.contract) return about;
  const model::ActionContract& contract = *sent_.contract;
  about["run"] = std::string_view(contract.run_id.value());
  about["step"] = contract.step_index;
  about["action_id"] = std::string_view(sent_.identity.action_id.value());
  about["action_hash"] = std::string_view(sent_.identity.digest);
  if (contract.idempotency.scope == model::IdempotencyScope::kRun)
    about["scope"] = sent_.Name().scope;
  return about;
}

// What was asked for and decided: once per turn, in its first record.
json::object TurnRecords::Asked(const TurnId& turn) const {
  json::object asked = About(turn);
  if (!sent_.contract) {
    for (auto& [key, value] : ContractOnRecord(sent_.wire)) asked[key] = value;
  } else {
    // A number may be exact as it was read and not as it was written.
    asked["contract"] =
        CanonicalJson(sent_.wire) ? sent_.wire : json::value(sent_.contract->ToJson());
  }
  asked["decisions"] = decisions_.all();
  return asked;
}

Result<kernel::AnswerBytes> TurnRecords::BytesOf(const json::object& result) {
  TRY_ASSIGN(std::string bytes, CanonicalJson(result));
  return std::make_shared<const std::string>(std::move(bytes));
}

model::LedgerPlace TurnRecords::PlaceOf(const ledger::Receipt& receipt) const {
  return {.chain = sent_.caller.tenant.value(),
          .seq = static_cast<std::int64_t>(receipt.seq),
          .record_hash = ToHex(receipt.hash)};
}

}  // namespace falconer::engine
