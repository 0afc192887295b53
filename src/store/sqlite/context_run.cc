#include "store/sqlite/context_run.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <tuple>

namespace falconer::store {
namespace {

// The blob is what lies in memory without its gaps.
static_assert(std::endian::native == std::endian::little);
constexpr std::size_t kPackedRow = 28;

auto KeyOf(const ContextRow& row) {
  return std::tie(row.context, row.next);
}

bool ComesBefore(const ContextRow& a, const ContextRow& b) {
  return KeyOf(a) < KeyOf(b);
}

bool IsCount(float count) {
  return std::isfinite(count) && count >= 0;
}

template <typename T>
std::uint8_t* Write(std::uint8_t* at, const T& value) {
  std::memcpy(at, &value, sizeof value);
  return at + sizeof value;
}

template <typename T>
const std::uint8_t* Read(const std::uint8_t* at, T& value) {
  std::memcpy(&value, at, sizeof value);
  return at + sizeof value;
}

ContextRow RowAt(const std::uint8_t* at) {
  ContextRow row;
  at = Read(at, row.context);
  at = Read(at, row.next);
  at = Read(at, row.by_person);
  at = Read(at, row.by_agent);
  Read(at, row.day);
  return row;
}

}  // namespace

bool IsSound(const ContextRow& row) {
  return IsCount(row.by_person) && IsCount(row.by_agent);
}

void MakeRun(std::vector<ContextRow>& rows) {
  std::ranges::sort(rows, {}, [](const ContextRow& row) {
    return std::tie(row.context, row.next, row.day, row.by_person, row.by_agent);
  });
  std::size_t kept = 0;
  for (const ContextRow& row : rows) {
    const bool is_again = kept > 0 && KeyOf(rows[kept - 1]) == KeyOf(row);
    rows[is_again ? kept - 1 : kept++] = row;
  }
  rows.resize(kept);
}

std::vector<ContextRow> MergeRuns(std::span<const ContextRow> older,
                                  std::span<const ContextRow> newer) {
  std::vector<ContextRow> merged;
  merged.reserve(older.size() + newer.size());
  auto old = older.begin();
  for (const ContextRow& row : newer) {
    for (; old != older.end() && ComesBefore(*old, row); ++old) merged.push_back(*old);
    if (old != older.end() && KeyOf(*old) == KeyOf(row)) ++old;
    merged.push_back(row);
  }
  merged.insert(merged.end(), old, older.end());
  return merged;
}

void DropForgotten(std::vector<ContextRow>& run) {
  std::erase_if(run, [](const ContextRow& row) { return row.by_person + row.by_agent <= 0; });
}

std::vector<std::uint8_t> PackRun(std::span<const ContextRow> run) {
  std::vector<std::uint8_t> bytes(run.size() * kPackedRow);
  std::uint8_t* at = bytes.data();
  for (const ContextRow& row : run) {
    at = Write(at, row.context);
    at = Write(at, row.next);
    at = Write(at, row.by_person);
    at = Write(at, row.by_agent);
    at = Write(at, row.day);
  }
  return bytes;
}

Result<void> UnpackRun(std::span<const std::uint8_t> bytes, std::vector<ContextRow>& rows) {
  if (bytes.size() % kPackedRow != 0)
    return Fail(ErrorCode::kStoreDamaged, "context_runs: a run ends in the middle of a row");
  rows.reserve(rows.size() + bytes.size() / kPackedRow);
  for (std::size_t at = 0; at < bytes.size(); at += kPackedRow) {
    const ContextRow& row = rows.emplace_back(RowAt(bytes.data() + at));
    if (!IsSound(row))
      return Fail(ErrorCode::kStoreDamaged, "context_runs: a row counts what is no number");
  }
  return {};
}

}  // namespace falconer::store
