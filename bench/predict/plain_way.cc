#include "bench/predict/plain_way.h"

#include <chrono>

namespace falconer::bench {
namespace {

constexpr const char* kPlainTables =
    "CREATE TABLE actions(id INTEGER PRIMARY KEY, action_signature TEXT NOT NULL,"
    " action_json TEXT NOT NULL, timestamp REAL NOT NULL, url TEXT, success INTEGER DEFAULT 1);"
    "CREATE TABLE transitions_first_order(id INTEGER PRIMARY KEY, from_action TEXT NOT NULL,"
    " to_action TEXT NOT NULL, count INTEGER DEFAULT 1, UNIQUE(from_action, to_action));"
    "CREATE TABLE transitions_second_order(id INTEGER PRIMARY KEY, from_action_1 TEXT NOT NULL,"
    " from_action_2 TEXT NOT NULL, to_action TEXT NOT NULL, count INTEGER DEFAULT 1,"
    " UNIQUE(from_action_1, from_action_2, to_action));";

struct PlainSuccessor {
  std::string signature;
  std::int64_t count = 0;
};

Result<std::size_t> ReadSuccessors(store::Statement& list) {
  std::vector<PlainSuccessor> successors;
  for (;;) {
    TRY_ASSIGN(const bool has_row, list.Step());
    if (!has_row) return successors.size();
    successors.push_back({.signature = list.TextAt(0), .count = list.NumberAt(1)});
  }
}

}  // namespace

Result<PlainWay> PlainWay::Open(const std::filesystem::path& path) {
  TRY_ASSIGN(auto database, store::Database::Open(path, store::Database::Access::kWrite,
                                                  std::chrono::seconds(10)));
  TRY(database->SyncFor(store::Survives::kProcess));
  TRY(database->Execute(kPlainTables));
  return PlainWay(std::move(database));
}

Result<void> PlainWay::RecordRows(const std::vector<std::string>& history,
                                  const std::string& next) {
  {
    TRY_ASSIGN(store::Statement put,
               database_->Use("INSERT INTO actions(action_signature, action_json, timestamp, url)"
                              " VALUES(?, ?, 0, '')"));
    TRY(put.Text(next).Text(next).Run());
  }
  if (history.empty()) return {};
  {
    TRY_ASSIGN(store::Statement put,
               database_->Use("INSERT INTO transitions_first_order(from_action, to_action, count)"
                              " VALUES(?, ?, 1) ON CONFLICT(from_action, to_action)"
                              " DO UPDATE SET count = count + 1"));
    TRY(put.Text(history.back()).Text(next).Run());
  }
  if (history.size() < 2) return {};
  TRY_ASSIGN(store::Statement put,
             database_->Use("INSERT INTO transitions_second_order(from_action_1, from_action_2,"
                            " to_action, count) VALUES(?, ?, ?, 1)"
                            " ON CONFLICT(from_action_1, from_action_2, to_action)"
                            " DO UPDATE SET count = count + 1"));
  return put.Text(history[history.size() - 2]).Text(history.back()).Text(next).Run();
}

Result<void> PlainWay::Record(const std::vector<std::string>& history, const std::string& next) {
  if (database_->is_in_transaction()) return RecordRows(history, next);
  TRY(Begin());
  TRY(RecordRows(history, next));
  return Commit();
}

Result<std::size_t> PlainWay::Predict(const std::vector<std::string>& history) {
  if (history.size() >= 2) {
    TRY_ASSIGN(store::Statement list,
               database_->Use("SELECT to_action, count FROM transitions_second_order"
                              " WHERE from_action_1 = ? AND from_action_2 = ?"
                              " ORDER BY count DESC"));
    list.Text(history[history.size() - 2]).Text(history.back());
    TRY_ASSIGN(const std::size_t rows, ReadSuccessors(list));
    if (rows > 0) return rows;
  }
  if (history.empty()) return std::size_t{0};
  TRY_ASSIGN(store::Statement list,
             database_->Use("SELECT to_action, count FROM transitions_first_order"
                            " WHERE from_action = ? ORDER BY count DESC"));
  return ReadSuccessors(list.Text(history.back()));
}

}  // namespace falconer::bench
