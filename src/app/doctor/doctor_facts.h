#pragma once
// Facts about the machine that several of the doctor's checks look at.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "app/doctor/doctor.h"

namespace falconer::app {

inline constexpr std::uint64_t kMiB = 1ULL << 20;
inline constexpr std::uint64_t kGiB = 1024 * kMiB;

// A variable of the environment; nothing when it is not there.
std::optional<std::string> Variable(const Visit& visit, std::string_view name);

// The number in a file of /proc or /sys; nothing when there is none.
std::optional<std::int64_t> KernelNumber(const std::filesystem::path& path);

// Nothing when there is no such folder.
std::optional<std::uint64_t> FreeBytes(const std::filesystem::path& folder);

// "500 MiB", "2.5 GiB".
std::string Amount(std::uint64_t bytes);

}  // namespace falconer::app
