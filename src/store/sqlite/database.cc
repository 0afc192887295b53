#include "store/sqlite/database.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <system_error>

#include "base/file.h"
#include "base/log.h"
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

ErrorCode CodeOf(int sqlite_code) {
  const int primary = sqlite_code & 0xff;
  const bool is_damage = primary == SQLITE_CORRUPT || primary == SQLITE_NOTADB;
  return is_damage ? ErrorCode::kStoreDamaged : ErrorCode::kIoError;
}

}  // namespace

Result<std::unique_ptr<Database>> Database::Open(std::filesystem::path path, Access access,
                                                 std::chrono::milliseconds patience) {
  if (access == Access::kWrite) TRY(CreatePrivate(path));
  sqlite3* handle = nullptr;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  const int code = sqlite3_open_v2(path.c_str(), &handle, flags, nullptr);
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
