#include "store/sqlite/database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <system_error>
#include <unistd.h>

#include "base/file.h"
#include "base/log.h"
#include "base/percent.h"
#include "base/random.h"
#include "base/unique_fd.h"

namespace falconer::store {
namespace {

// synchronous=FULL syncs the log at every commit; NORMAL leaves that to the system, and syncs only
// before the log is taken over into the file.
constexpr const char* kWriterPragmas =
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA journal_size_limit=67108864;";
constexpr const char* kReaderPragmas = "PRAGMA query_only=1;";

// SQLite would make the file readable for everybody.
Result<void> CreatePrivate(const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd) return IoFailure(path, "cannot open");
  return {};
}

// Makes the file under another name and gives it its own once it has its log: turning a file to its
// log is the one thing that SQLite does not wait for when two do it at the same moment.
Result<void> CreateWithLog(const std::filesystem::path& path) {
  std::error_code failed;
  if (std::filesystem::exists(path, failed)) return {};
  const std::filesystem::path made = path.string() + ".new-" + RandomHex(8);
  {
    TRY_ASSIGN(const auto database, Database::Open(made, Database::Access::kWrite, {}));
  }
  const int linked = ::link(made.c_str(), path.c_str());
  const int why = errno;
  std::filesystem::remove(made, failed);
  if (linked == 0 || why == EEXIST) return {};
  errno = why;
  return IoFailure(path, "cannot create");
}

bool MayWriteBeside(const std::filesystem::path& path) {
  const auto folder = std::filesystem::absolute(path).parent_path();
  return ::faccessat(AT_FDCWD, folder.c_str(), W_OK, AT_EACCESS) == 0;
}

bool HasLog(const std::filesystem::path& path) {
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(path.string() + "-wal", failed);
  return !failed && bytes > 0;
}

// Who cannot write can read what stands in the file, but not what only its log says: without an
// index of the log, which is a file as well, nobody finds anything in it.
Result<void> CheckReadable(const std::filesystem::path& path) {
  std::error_code failed;
  const bool has_index = std::filesystem::exists(path.string() + "-shm", failed);
  if (MayWriteBeside(path) || !HasLog(path) || has_index) return {};
  return Fail(ErrorCode::kIoError,
              fmt::format("{}: its last changes are in {}-wal, and to read them takes leave to "
                          "write in the folder; look at a copy of the folder instead",
                          path.string(), path.filename().string()));
}

// The name under which SQLite reads a file without making others beside it.
std::string SealedName(const std::filesystem::path& path) {
  return "file:" + PercentEncoded(std::filesystem::absolute(path).string(), {.kept = "/-_.~"}) +
         "?immutable=1";
}

int OpenFile(const std::filesystem::path& path, Database::Access access, sqlite3** handle) {
  constexpr int kFlags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  if (access == Database::Access::kRead && !MayWriteBeside(path) && !HasLog(path)) {
    return sqlite3_open_v2(SealedName(path).c_str(), handle,
                           kFlags | SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  }
  return sqlite3_open_v2(path.c_str(), handle, kFlags | SQLITE_OPEN_READWRITE, nullptr);
}

ErrorCode CodeOf(int sqlite_code) {
  const int primary = sqlite_code & 0xff;
  const bool is_damage = primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB;
  return is_damage ? ErrorCode::kStoreDamaged : ErrorCode::kIoError;
}

}  // namespace

Result<std::unique_ptr<Database>> Database::Open(std::filesystem::path path, Access access,
                                                 std::chrono::milliseconds patience) {
  TRY(access == Access::kWrite ? CreatePrivate(path) : CheckReadable(path));
  sqlite3* handle = nullptr;
  const int code = OpenFile(path, access, &handle);
  std::unique_ptr<Database> database(new Database(std::move(path), handle));
  if (code != SQLITE_OK) return Fail(database->Failure("cannot open"));
  sqlite3_busy_timeout(handle, static_cast<int>(patience.count()));
  TRY(database->Execute(access == Access::kWrite ? kWriterPragmas : kReaderPragmas));
  return database;
}

Result<std::unique_ptr<Database>> Database::OpenShared(const std::filesystem::path& path,
                                                       std::chrono::milliseconds patience) {
  TRY(CreateWithLog(path));
  return Open(path, Access::kWrite, patience);
}

Database::~Database() {
  for (const auto& [sql, statement] : prepared_) sqlite3_finalize(statement);
  sqlite3_close(handle_);
}

Result<void> Database::Execute(const char* sql) {
  if (sqlite3_exec(handle_, sql, nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return Fail(Failure("cannot run a statement"));
}

Result<void> Database::SyncFor(Survives what) {
  if (what == synced_for_) return {};
  const bool must_sync = what == Survives::kPowerLoss;
  TRY(Execute(must_sync ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL"));
  synced_for_ = what;
  return {};
}

void Database::RollBack() {
  if (!is_in_transaction()) return;
  const Result<void> done = Execute("ROLLBACK");
  if (!done) LOG(error, "store.rollback", {"error", Describe(done.error())});
}

Result<Statement> Database::Use(std::string_view sql) {
  sqlite3_stmt*& statement = prepared_[sql];
  if (statement == nullptr &&
      sqlite3_prepare_v3(handle_, sql.data(), static_cast<int>(sql.size()),
                         SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK) {
    return Fail(Failure("cannot prepare a statement"));
  }
  return Statement(*this, statement);
}

bool Database::is_in_transaction() const {
  return sqlite3_get_autocommit(handle_) == 0;
}

Error Database::Failure(std::string_view doing) const {
  const int code = sqlite3_extended_errcode(handle_);
  const int system = sqlite3_system_errno(handle_);
  const std::string reason =
      system == 0 ? "" : fmt::format(" ({})", std::generic_category().message(system));
  return {CodeOf(code),
          fmt::format("{}: {}: {}{}", path_.string(), doing, sqlite3_errmsg(handle_), reason),
          {{"path", path_.string()}, {"sqlite_code", code}}};
}

}  // namespace falconer::store
