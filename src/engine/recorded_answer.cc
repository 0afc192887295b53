#include "engine/recorded_answer.h"

#include <span>

#include "base/hex.h"
#include "ledger/archive.h"

namespace falconer::engine {

Result<RecordedAnswer> FindAnswer(const ledger::Ledger& ledger, const TenantId& tenant,
                                  const kernel::KnownAction& known,
                                  const std::string& action_hash) {
  const auto paths = ledger::ChainPaths::Of(ledger.data_folder(), tenant);
  TRY_ASSIGN(const ledger::StoredRecord record,
             ledger::FindRecord(paths.folder, known.seq, std::span(&ledger.public_key(), 1)));
  TRY_ASSIGN(const auto payload, ParseJsonObject(record.view().fields.payload));
  const json::value* stored = payload.if_contains("result");
  if (stored == nullptr || TextAt(payload, "action_hash") != action_hash)
    return Fail(ErrorCode::kLedgerDamaged, "the record is not that of the action");
  RecordedAnswer answer;
  TRY_ASSIGN(answer.result, model::ActionExecutionResult::FromJson(*stored));
  answer.result.ledger = model::LedgerPlace{.chain = tenant.value(),
                                            .seq = static_cast<std::int64_t>(known.seq),
                                            .record_hash = ToHex(record.view().hash)};
  answer.page_url = TextAt(payload, "page_url");
  return answer;
}

}  // namespace falconer::engine
