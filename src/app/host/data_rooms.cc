#include "app/host/data_rooms.h"

#include <array>
#include <filesystem>
#include <pwd.h>
#include <unistd.h>
#include <utility>

#include "app/report.h"

namespace falconer::app {
namespace {

constexpr std::string_view kStoreFile = "control.db";

Result<void> MakeDataFolder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed) return {};
  return Fail(ErrorCode::kIoError, "cannot create " + folder.string() + ": " + failed.message());
}

store::SqliteOptions StoreOptionsFrom(const Settings& settings) {
  return {.max_actions = static_cast<std::uint64_t>(settings.actions.remembered)};
}

ledger::ChainOptions ChainOptionsFrom(const Settings& settings) {
  return {.segment_bytes = static_cast<std::uint64_t>(settings.ledger.segment_bytes),
          .checkpoint_records = static_cast<std::uint64_t>(settings.ledger.checkpoint_records),
          .checkpoint_interval = settings.ledger.checkpoint_interval,
          .anchor_folder = settings.ledger.anchor};
}

template <typename Room>
Result<Room*> RoomIn(const Result<std::unique_ptr<Room>>& opened) {
  if (!opened) return std::unexpected(opened.error());
  return opened->get();
}

Result<std::unique_ptr<ledger::Ledger>> OpenLedger(const Settings& settings, Clock& clock,
                                                   const DataRooms& rooms) {
  TRY_ASSIGN(store::SqliteStore* const heads, rooms.store());
  TRY_ASSIGN(const RedactionHost* const redaction, rooms.redaction());
  // For itself first: what is wrong with the key is not taken for damage of the ledger.
  const auto key = ledger::SigningKey::LoadOrCreate(settings.data.dir);
  if (!key) return Fail(AboutKey(key.error(), kLedgerKey));
  return ledger::Ledger::Open(settings.data.dir, *heads, redaction->scrubber(), clock,
                              ChainOptionsFrom(settings));
}

}  // namespace

std::string OperatorName() {
  const uid_t user = ::getuid();
  passwd entry{};
  passwd* found = nullptr;
  std::array<char, 4096> buffer{};
  const int failed = ::getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found);
  if (failed != 0 || found == nullptr) return "uid " + std::to_string(user);
  return found->pw_name;
}

Result<std::unique_ptr<DataRooms>> DataRooms::Open(const Settings& settings, Clock& clock) {
  TRY(MakeDataFolder(settings.data.dir));
  std::unique_ptr<DataRooms> rooms(new DataRooms());
  rooms->store_ =
      store::SqliteStore::Open(settings.data.dir / kStoreFile, clock, StoreOptionsFrom(settings));
  rooms->redaction_ = RedactionHost::Open(settings);
  rooms->ledger_ = OpenLedger(settings, clock, *rooms);
  return rooms;
}

Result<std::unique_ptr<DataRooms>> DataRooms::OpenWhole(const Settings& settings, Clock& clock) {
  TRY_ASSIGN(auto rooms, Open(settings, clock));
  // It needs the two others.
  TRY(rooms->ledger());
  return rooms;
}

Result<store::SqliteStore*> DataRooms::store() const {
  return RoomIn(store_);
}

Result<RedactionHost*> DataRooms::redaction() const {
  return RoomIn(redaction_);
}

Result<ledger::Ledger*> DataRooms::ledger() const {
  return RoomIn(ledger_);
}

Task<Result<void>> DataRooms::Record(TenantId tenant, ledger::RecordKind kind, std::string event,
                                     json::object what) {
  CO_TRY_ASSIGN(ledger::Ledger* const into, ledger());
  what["event"] = event;
  what["by"] = OperatorName();
  CO_TRY(co_await into->Append(std::move(tenant), {.kind = kind, .payload = std::move(what)}));
  co_return Result<void>();
}

}  // namespace falconer::app
