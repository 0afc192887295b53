#include "ledger/action_catch_up.h"

#include "ledger/from_hex.h"

namespace falconer::ledger {
namespace {

constexpr std::size_t kBatch = 500;

std::optional<store::ActionState> StateIn(RecordKind kind) {
  if (kind == RecordKind::kTurnOpened) return store::ActionState::kOpen;
  if (kind == RecordKind::kTurnClosed) return store::ActionState::kTerminal;
  return std::nullopt;
}

}  // namespace

std::optional<store::IndexedAction> ActionIn(const RecordView& record, const TenantId& tenant) {
  const auto state = StateIn(record.fields.kind);
  if (!state) return std::nullopt;
  const auto payload = ParseJsonObject(record.fields.payload);
  if (!payload) return std::nullopt;
  const auto hash = FromHex<sizeof(Sha256Digest)>(TextAt(*payload, "action_hash"));
  std::string scope = TextAt(*payload, "scope");
  if (scope.empty()) scope = TextAt(*payload, "workflow");
  const std::string turn = TextAt(*payload, "turn_id");
  if (!hash || scope.empty() || turn.empty()) return std::nullopt;
  return store::IndexedAction{{tenant, scope, *hash}, *state, record.fields.seq, TurnId(turn)};
}

Task<Result<std::uint64_t>> CatchUpActions(store::ControlStore* store, std::filesystem::path folder,
                                           TenantId tenant) {
  CO_TRY_ASSIGN(std::uint64_t indexed, co_await store->IndexedSeq(tenant.value()));
  // Behind the head there may be what somebody is just writing, and what may yet be cut off.
  CO_TRY_ASSIGN(const auto head, co_await store->GetHead(tenant.value()));
  const std::uint64_t durable = head ? head->seq : 0;
  auto reader = ChainReader::Open(folder);
  if (!reader && reader.error().code() == ErrorCode::kNotFound) co_return indexed;
  if (!reader) co_return Fail(std::move(reader).error());
  for (std::uint64_t from = indexed + 1; from != 0;) {
    CO_TRY_ASSIGN(const RecordPage page, reader->Query({}, from, kBatch));
    if (page.records.empty()) break;
    store::ActionBatch batch{.chain = tenant.value()};
    for (const StoredRecord& record : page.records) {
      if (auto action = ActionIn(record.view(), tenant)) batch.actions.push_back(*action);
    }
    batch.indexed_seq = std::min(page.records.back().view().fields.seq, durable);
    CO_TRY(co_await store->PutActions(batch));
    indexed = std::max(indexed, batch.indexed_seq);
    from = page.next;
  }
  co_return indexed;
}

}  // namespace falconer::ledger
