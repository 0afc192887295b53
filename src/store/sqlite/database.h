#pragma once
// Database: one connection to the SQLite file, with its prepared statements. Belongs to one thread.

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string_view>

#include "base/error.h"
#include "store/sqlite/statement.h"

struct sqlite3;

namespace falconer::store {

// What a commit must survive. Whatever could be made again from the ledger, which is synced for
// itself, need only outlive the process.
enum class Survives { kPowerLoss, kProcess };

class Database {
 public:
  enum class Access { kWrite, kRead };

  // Opens the file, which kWrite creates (private, 0600) when it is missing; kRead needs no leave
  // to write, unless a log with changes lies beside it. Another process may hold the file for as
  // long as `patience`. kStoreDamaged when it is no SQLite database.
  static Result<std::unique_ptr<Database>> Open(std::filesystem::path path, Access access,
                                                std::chrono::milliseconds patience);
  // The same for a file that others may be making at this moment: whole or not there, with its log.
  static Result<std::unique_ptr<Database>> OpenShared(const std::filesystem::path& path,
                                                      std::chrono::milliseconds patience);
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Runs statements that have no parameters and no rows to read.
  Result<void> Execute(const char* sql);
  // From the next transaction on commits survive at least this.
  Result<void> SyncFor(Survives what);
  // Takes the open transaction back, if there is one. A failure is logged: callers have a reason
  // already, and the next BEGIN fails if it mattered.
  void RollBack();
  // A statement, prepared at its first use. `sql` MUST be a literal.
  Result<Statement> Use(std::string_view sql);

  // False once SQLite gave a transaction up by itself, as it does when the disk is full.
  bool is_in_transaction() const;
  // What went wrong last, with the path and the system's reason.
  Error Failure(std::string_view doing) const;
  const std::filesystem::path& path() const { return path_; }

 private:
  Database(std::filesystem::path path, sqlite3* handle) : path_(std::move(path)), handle_(handle) {}

  std::filesystem::path path_;
  sqlite3* handle_;
  Survives synced_for_ = Survives::kPowerLoss;
  std::map<std::string_view, sqlite3_stmt*> prepared_;
};

}  // namespace falconer::store
