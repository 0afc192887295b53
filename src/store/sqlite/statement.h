#pragma once
// Statement: one use of a prepared SQL statement. It is reset when it goes away, so that the next
// use starts clean.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/sha256.h"

struct sqlite3_stmt;

namespace falconer::store {

class Database;

class Statement {
 public:
  Statement(const Database& database, sqlite3_stmt* statement)
      : database_(&database), statement_(statement) {}
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  // Binds the next parameter.
  Statement& Text(std::string_view text);
  Statement& Number(std::int64_t number);
  Statement& Number(std::uint64_t number) { return Number(static_cast<std::int64_t>(number)); }
  Statement& Bytes(std::span<const std::uint8_t> bytes);

  // True when there is a row to read. kIoError or kStoreDamaged.
  Result<bool> Step();
  // Runs to the end; for statements without rows.
  Result<void> Run();

  // Columns of the row.
  std::string TextAt(int column) const;
  // Until the next step.
  std::span<const std::uint8_t> BytesAt(int column) const;
  std::int64_t NumberAt(int column) const;
  std::uint64_t CountAt(int column) const { return static_cast<std::uint64_t>(NumberAt(column)); }
  // kStoreDamaged when the column does not hold 32 bytes.
  Result<Sha256Digest> DigestAt(int column) const;

 private:
  const Database* database_;
  sqlite3_stmt* statement_;
  int next_ = 1;
  int bind_failure_ = 0;
};

}  // namespace falconer::store
