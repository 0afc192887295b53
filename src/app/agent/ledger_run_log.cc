#include "app/agent/ledger_run_log.h"

#include <utility>

#include "api/tools/aside.h"
#include "engine/recordable.h"
#include "ledger/reader.h"

namespace falconer::app {
namespace {

constexpr std::size_t kPageOfRun = 256;

Result<std::vector<json::object>> ReadRun(const std::filesystem::path& folder,
                                          const std::string& run) {
  std::vector<json::object> found;
  auto reader = ledger::ChainReader::Open(folder);
  // Nothing was done yet.
  if (!reader && reader.error().code() == ErrorCode::kNotFound) return found;
  if (!reader) return std::unexpected(reader.error());
  const ledger::RecordFilter filter{.run = run, .kind = ledger::RecordKind::kRun};
  std::uint64_t from = reader->first_seq();
  do {
    TRY_ASSIGN(const ledger::RecordPage page, reader->Query(filter, from, kPageOfRun));
    for (const ledger::StoredRecord& record : page.records) {
      TRY_ASSIGN(json::object payload, ParseJsonObject(record.view().fields.payload));
      found.push_back(std::move(payload));
    }
    from = page.next;
  } while (from != 0);
  return found;
}

}  // namespace

Task<Result<void>> LedgerRunLog::Append(json::object record) {
  // What models and tools say may be anything.
  json::value whole = std::move(record);
  engine::MakeRecordable(whole);
  const engine::RuntimeParts& parts = runtime_.parts();
  CO_TRY_ASSIGN(const ledger::Receipt receipt,
                co_await parts.ledger.Append(tenant_, {.kind = ledger::RecordKind::kRun,
                                                       .payload = std::move(whole.get_object())}));
  parts.actions.Saw(tenant_, receipt.seq);
  co_return Result<void>();
}

Task<Result<std::vector<json::object>>> LedgerRunLog::Read(CallContext ctx, RunId run) {
  const auto paths = ledger::ChainPaths::Of(runtime_.parts().ledger.data_folder(), tenant_);
  co_return co_await api::Aside(
      std::move(ctx), [folder = paths.folder, id = run.value()] { return ReadRun(folder, id); });
}

}  // namespace falconer::app
