#include "ledger/ledger.h"

#include "base/json/canonical_json.h"

namespace falconer::ledger {

Result<PreparedRecord> Prepare(RecordInput input, const Scrubber& scrubber) {
  scrubber.Scrub(input.payload);
  TRY_ASSIGN(std::string payload, CanonicalJson(input.payload));
  if (payload.size() > kMaxRecordBytes - kRecordFrameBytes) {
    return Fail(ErrorCode::kInvalidArgument,
                "payload: " + std::to_string(payload.size()) + " bytes are too many for a record");
  }
  return PreparedRecord{input.kind, std::move(payload)};
}

Ledger::Ledger(std::filesystem::path data_folder, store::ControlStore& store,
               const Scrubber& scrubber, Clock& clock, ChainOptions options, SigningKey key)
    : data_folder_(std::move(data_folder)),
      store_(store),
      scrubber_(scrubber),
      clock_(clock),
      options_(std::move(options)),
      key_(std::move(key)) {
}

Ledger::~Ledger() = default;

Result<std::unique_ptr<Ledger>> Ledger::Open(std::filesystem::path data_folder,
                                             store::ControlStore& store, const Scrubber& scrubber,
                                             Clock& clock, ChainOptions options) {
  TRY_ASSIGN(SigningKey key, SigningKey::LoadOrCreate(data_folder));
  return std::unique_ptr<Ledger>(new Ledger(std::move(data_folder), store, scrubber, clock,
                                            std::move(options), std::move(key)));
}

Task<Result<Receipt>> Ledger::Append(TenantId tenant, RecordInput input) {
  CO_TRY_ASSIGN(PreparedRecord record, Prepare(std::move(input), scrubber_));
  const TimePoint began = Begins();
  auto receipt = co_await AppendTo(std::move(tenant), std::move(record));
  Ends(began, receipt);
  if (receipt) appended_.Emit();
  co_return receipt;
}

Task<Result<Receipt>> Ledger::AppendTo(TenantId tenant, PreparedRecord record) {
  CO_TRY_ASSIGN(ChainWriter * chain, co_await ChainOf(std::move(tenant)));
  co_return co_await chain->Append(std::move(record));
}

TimePoint Ledger::Begins() {
  const std::scoped_lock lock(mutex_);
  return *waiting_.insert(clock_.Now());
}

void Ledger::Ends(TimePoint began, const Result<Receipt>& receipt) {
  const std::scoped_lock lock(mutex_);
  waiting_.erase(waiting_.find(began));
  if (receipt) took_.Note(clock_.Now() - began);
}

LedgerLag Ledger::lag() const {
  const std::scoped_lock lock(mutex_);
  return {.waiting = waiting_.size(),
          .oldest = waiting_.empty() ? Duration() : clock_.Now() - *waiting_.begin(),
          .took = took_};
}

Task<Result<Checkpoint>> Ledger::AddCheckpoint(TenantId tenant) {
  CO_TRY_ASSIGN(ChainWriter * chain, co_await ChainOf(std::move(tenant)));
  co_return co_await chain->AddCheckpoint();
}

ChainWriter* Ledger::Find(const TenantId& tenant) {
  const std::scoped_lock lock(mutex_);
  const auto found = chains_.find(tenant);
  return found == chains_.end() ? nullptr : found->second.get();
}

// Writers stay until the ledger goes: the pointer is good for as long as the ledger is.
Task<Result<ChainWriter*>> Ledger::ChainOf(TenantId tenant) {
  if (ChainWriter* known = Find(tenant)) co_return known;
  CO_TRY_ASSIGN(auto head, co_await store_.GetHead(tenant.value()));
  CO_TRY_ASSIGN(const auto indexed, co_await store_.IndexedSeq(tenant.value()));
  const std::scoped_lock lock(mutex_);
  std::unique_ptr<ChainWriter>& writer = chains_[tenant];
  // Somebody else may have opened it while the store was asked.
  if (!writer) {
    ChainWriterInput input{
        .paths = ChainPaths::Of(data_folder_, tenant),
        .tenant = tenant,
        .known = std::move(head),
        .on_head = [this](store::ChainHead h) { store_.PostHead(std::move(h)); },
        .indexed = indexed,
        .on_passed = [feed = passed_](PassedRecords p) { feed->Tell(std::move(p)); }};
    // What somebody has indexed need not be told again.
    if (indexed > 0) passed_->Tell({.tenant = tenant, .first = 1, .last = indexed, .actions = {}});
    writer = std::make_unique<ChainWriter>(std::move(input), options_, key_, clock_, layer_);
  }
  co_return writer.get();
}

}  // namespace falconer::ledger
