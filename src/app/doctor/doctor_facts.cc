#include "app/doctor/doctor_facts.h"

#include <fmt/format.h>
#include <sys/statvfs.h>

#include "base/file.h"
#include "base/text.h"

namespace falconer::app {

std::optional<std::string> Variable(const Visit& visit, std::string_view name) {
  for (const std::string_view line : visit.arguments.environment) {
    if (line.starts_with(name) && line.substr(name.size()).starts_with("=")) {
      return std::string(line.substr(name.size() + 1));
    }
  }
  return std::nullopt;
}

std::optional<std::int64_t> KernelNumber(const std::filesystem::path& path) {
  const auto text = ReadFile(path);
  if (!text) return std::nullopt;
  return ParseWhole(std::string_view(*text).substr(0, text->find('\n')));
}

std::optional<std::uint64_t> FreeBytes(const std::filesystem::path& folder) {
  struct statvfs info{};
  if (::statvfs(folder.c_str(), &info) != 0) return std::nullopt;
  return std::uint64_t{info.f_bavail} * info.f_frsize;
}

std::string Amount(std::uint64_t bytes) {
  return bytes >= kGiB
             ? fmt::format("{:.1f} GiB", static_cast<double>(bytes) / static_cast<double>(kGiB))
             : fmt::format("{} MiB", bytes / kMiB);
}

}  // namespace falconer::app
