#pragma once
// PlainWay: first and second order counts in SQLite and nowhere else, with signatures as keys. A
// prediction is a query of the second order, then one of the first if that knows nothing; a step
// is one transaction. It need not outlive a power cut, as the predictor's batches need not.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/error.h"
#include "store/sqlite/database.h"

namespace falconer::bench {

class PlainWay {
 public:
  static Result<PlainWay> Open(const std::filesystem::path& path);

  // `history` are the signatures so far, oldest first. Each step is a transaction, unless one is
  // open already.
  Result<void> Record(const std::vector<std::string>& history, const std::string& next);
  // How many can follow; all are read, with their counts.
  Result<std::size_t> Predict(const std::vector<std::string>& history);

  Result<void> Begin() { return database_->Execute("BEGIN"); }
  Result<void> Commit() { return database_->Execute("COMMIT"); }

 private:
  explicit PlainWay(std::unique_ptr<store::Database> database) : database_(std::move(database)) {}
  Result<void> RecordRows(const std::vector<std::string>& history, const std::string& next);

  std::unique_ptr<store::Database> database_;
};

}  // namespace falconer::bench
