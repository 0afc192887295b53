#pragma once
// Randomness from the kernel, for keys, and for identifiers that nobody can guess.

#include <cstddef>
#include <string>

namespace falconer {

std::string RandomBytes(std::size_t count);

// `count` random bytes as 2 * count lower-case hex digits.
std::string RandomHex(std::size_t count);

// 128 random bits: 32 hex digits.
std::string RandomId();

}  // namespace falconer
