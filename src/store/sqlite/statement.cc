#include "store/sqlite/statement.h"

#include <algorithm>
#include <sqlite3.h>
#include <utility>

#include "store/sqlite/database.h"

namespace falconer::store {

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_),
      statement_(std::exchange(other.statement_, nullptr)),
      next_(other.next_),
      bind_failure_(other.bind_failure_) {
}

Statement::~Statement() {
  if (statement_ == nullptr) return;
  sqlite3_reset(statement_);
  sqlite3_clear_bindings(statement_);
}

// The bound bytes are copied: a statement may outlive the text it was given.
Statement& Statement::Text(std::string_view text) {
  bind_failure_ |= sqlite3_bind_text64(statement_, next_++, text.empty() ? "" : text.data(),
                                       text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  return *this;
}

Statement& Statement::Number(std::int64_t number) {
  bind_failure_ |= sqlite3_bind_int64(statement_, next_++, number);
  return *this;
}

Statement& Statement::Bytes(std::span<const std::uint8_t> bytes) {
  bind_failure_ |=
      sqlite3_bind_blob64(statement_, next_++, bytes.data(), bytes.size(), SQLITE_TRANSIENT);
  return *this;
}

Result<bool> Statement::Step() {
  if (bind_failure_ != SQLITE_OK) return Fail(database_->Failure("cannot bind a value"));
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return Fail(database_->Failure("cannot run a statement"));
}

Result<void> Statement::Run() {
  for (;;) {
    TRY_ASSIGN(const bool has_row, Step());
    if (!has_row) return {};
  }
}

std::string Statement::TextAt(int column) const {
  const void* text = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  if (text == nullptr) return {};
  return {static_cast<const char*>(text), static_cast<std::size_t>(size)};
}

std::span<const std::uint8_t> Statement::BytesAt(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  if (bytes == nullptr) return {};
  return {static_cast<const std::uint8_t*>(bytes), static_cast<std::size_t>(size)};
}

std::int64_t Statement::NumberAt(int column) const {
  return sqlite3_column_int64(statement_, column);
}

Result<Sha256Digest> Statement::DigestAt(int column) const {
  Sha256Digest digest{};
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  if (bytes == nullptr || static_cast<std::size_t>(size) != digest.size()) {
    return Fail(ErrorCode::kStoreDamaged,
                database_->path().string() + ": a digest has " + std::to_string(size) + " bytes");
  }
  std::copy_n(static_cast<const std::uint8_t*>(bytes), digest.size(), digest.begin());
  return digest;
}

}  // namespace falconer::store
