#include "policy/tokens/key_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/unique_fd.h"
#include "policy/tokens/compact_jws.h"

namespace falconer::policy {
namespace {

constexpr std::int64_t kRingVersion = 1;
constexpr unsigned kForOthers = 077;

std::int64_t ToMs(WallTime time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count();
}

WallTime FromMs(std::int64_t ms) {
  return WallTime(std::chrono::milliseconds(ms));
}

Result<void> CheckUnshared(const std::filesystem::path& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) != 0) return IoFailure(path, "cannot look at");
  if ((status.st_mode & kForOthers) == 0) return {};
  return Fail(ErrorCode::kIoError,
              path.string() + " is open to others: make it private with chmod go=");
}

Result<void> MakePrivateFolder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder.parent_path(), failed);
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) {
    return IoFailure(folder, "cannot create");
  }
  return CheckUnshared(folder);
}

enum class LockKind : std::uint8_t { kShared, kAlone };

// Held until it goes away. The file stays: a lock on a file that was removed locks nobody out.
Result<UniqueFd> LockRing(const std::filesystem::path& folder, LockKind kind) {
  const std::filesystem::path path = folder / "lock";
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd) return IoFailure(path, "cannot open");
  const int how = kind == LockKind::kAlone ? LOCK_EX : LOCK_SH;
  while (::flock(fd.get(), how) != 0) {
    if (errno != EINTR) return IoFailure(path, "cannot lock");
  }
  return fd;
}

struct RingRow {
  std::string name;
  KeyState state = KeyState::kActive;
  std::int64_t created_ms = 0;
  std::optional<std::int64_t> retires_ms;
};

RingRow ReadRingRow(JsonReader& in) {
  RingRow row{.name = in.String("kid", {.min = 1, .max = kMaxKeyName}),
              .state = in.Enum("state", kKeyStates),
              .created_ms = in.Integer("created_ms", {.min = 0}),
              .retires_ms = in.OptionalInteger("retires_ms", {.min = 0})};
  if (!IsKeyName(row.name)) in.Reject("kid", "is no name of a key");
  const bool must_retire = row.state == KeyState::kDeprecated;
  if (must_retire != row.retires_ms.has_value()) in.Reject("retires_ms", "does not fit the state");
  return row;
}

std::vector<json::value> ReadRing(JsonReader& in) {
  (void)in.Integer("version", {.min = kRingVersion, .max = kRingVersion});
  const json::array rows = in.RawArray("keys");
  return {rows.begin(), rows.end()};
}

json::object RingJson(const KeyRing& ring) {
  json::array rows;
  for (const RingKey& key : ring.keys()) {
    json::object row{{"kid", key.name},
                     {"state", NameIn(kKeyStates, key.state)},
                     {"created_ms", ToMs(key.created)}};
    if (key.retires) row["retires_ms"] = ToMs(*key.retires);
    rows.push_back(std::move(row));
  }
  return {{"version", kRingVersion}, {"keys", std::move(rows)}};
}

}  // namespace

std::filesystem::path KeyFolder::PathIn(const std::filesystem::path& data_folder) {
  return data_folder / "keys" / "tokens";
}

std::filesystem::path KeyFolder::KeyFile(std::string_view name) const {
  return folder_ / (std::string(name) + ".pem");
}

Result<RingKey> KeyFolder::ReadKey(const json::value& value) const {
  TRY_ASSIGN(RingRow row, ReadJson(value, "keys", ReadRingRow));
  const std::filesystem::path path = KeyFile(row.name);
  TRY(CheckUnshared(path));
  TRY_ASSIGN(const std::string pem, ReadFile(path));
  Result<TokenKey> key = TokenKey::FromPem(pem);
  if (!key) return Fail(std::move(key).error().In(path.string()));
  std::optional<WallTime> retires;
  if (row.retires_ms) retires = FromMs(*row.retires_ms);
  return RingKey{std::move(row.name), row.state, FromMs(row.created_ms), retires, *std::move(key)};
}

Result<KeyRing> KeyFolder::Read() const {
  std::error_code failed;
  if (!std::filesystem::exists(RingFile(), failed)) return KeyRing();
  TRY(CheckUnshared(RingFile()));
  TRY_ASSIGN(const std::string text, ReadFile(RingFile()));
  Result<json::value> value = ParseJson(text);
  if (!value) return Fail(std::move(value).error().In(RingFile().string()));
  auto rows = ReadJson(*value, "", ReadRing);
  if (!rows) return Fail(std::move(rows).error().In(RingFile().string()));
  KeyRing ring;
  for (const json::value& row : *rows) {
    Result<RingKey> key = ReadKey(row);
    if (!key) return Fail(std::move(key).error().In(RingFile().string()));
    TRY(ring.Add(*std::move(key)));
  }
  return ring;
}

Result<KeyRing> KeyFolder::Load() const {
  std::error_code failed;
  if (!std::filesystem::exists(folder_, failed)) return KeyRing();
  TRY(CheckUnshared(folder_));
  TRY_ASSIGN(const UniqueFd lock, LockRing(folder_, LockKind::kShared));
  return Read();
}

// Keys before the ring that names them, and away only after a ring without them.
Result<void> KeyFolder::Write(const KeyRing& old, const KeyRing& ring) const {
  for (const RingKey& key : ring.keys()) {
    if (old.Find(key.name) != nullptr) continue;
    TRY(WriteFileAtomic(KeyFile(key.name),
                        key.key.can_sign() ? key.key.PrivatePem() : key.key.PublicPem()));
  }
  return WriteFileAtomic(RingFile(), json::serialize(RingJson(ring)) + "\n");
}

Result<void> KeyFolder::Forget(const KeyRing& old, const KeyRing& ring) const {
  for (const RingKey& key : old.keys()) {
    if (ring.Find(key.name) != nullptr) continue;
    const std::filesystem::path path = KeyFile(key.name);
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) return IoFailure(path, "cannot remove");
  }
  return SyncFolder(folder_);
}

Result<KeyRing> KeyFolder::Change(const std::function<Result<void>(KeyRing&)>& change) const {
  TRY(MakePrivateFolder(folder_));
  TRY_ASSIGN(const UniqueFd lock, LockRing(folder_, LockKind::kAlone));
  TRY_ASSIGN(const KeyRing old, Read());
  KeyRing ring = old;
  TRY(change(ring));
  TRY(Write(old, ring));
  TRY(Forget(old, ring));
  return ring;
}

Result<RingKey> KeyFolder::PrimaryOrNew(TokenAlgorithm algorithm, WallTime now) const {
  TRY_ASSIGN(KeyRing ring, Load());
  if (ring.primary() == nullptr) {
    TRY_ASSIGN(ring, Change([&](KeyRing& changed) -> Result<void> {
                 if (changed.primary() != nullptr) return {};
                 TokenKey key = TokenKey::Generate(algorithm);
                 const std::string name = key.id();
                 return changed.Add({name, KeyState::kPrimary, now, std::nullopt, std::move(key)});
               }));
  }
  return *ring.primary();
}

std::string KeyFolder::Version() const {
  struct stat status{};
  if (::stat(RingFile().c_str(), &status) != 0) return "";
  return fmt::format("{}.{}.{}.{}", status.st_ino, status.st_size, status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec);
}

}  // namespace falconer::policy
