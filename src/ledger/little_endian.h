#pragma once
// Whole numbers as little endian bytes.

#include <bit>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>

namespace falconer::ledger {

static_assert(std::endian::native == std::endian::little, "the ledger is written as it lies");

template <typename T>
void AppendNumber(std::string& out, T number) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &number, sizeof(T));
  out.append(bytes, sizeof(T));
}

// `bytes` MUST hold a T at `offset`.
template <typename T>
T NumberAt(std::string_view bytes, std::size_t offset) {
  T number;
  std::memcpy(&number, bytes.data() + offset, sizeof(T));
  return number;
}

}  // namespace falconer::ledger
