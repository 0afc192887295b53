#pragma once
// The doctor's checks of the folders that are written to.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "app/doctor/doctor.h"

namespace falconer::app {

Task<Finding> CheckDiskSpace(CallContext ctx, Visit* visit);
Task<Finding> CheckFolders(CallContext ctx, Visit* visit);

// The folder for temporary files, for checks that look for the reason of a failure.
Finding ExamineTemp(const Visit& visit);

// A folder and what decides which one it is: a setting or a variable.
struct NamedFolder {
  std::string_view name;
  std::filesystem::path path;
};

// The folder with the least space counts.
Finding JudgeDiskSpace(std::string_view folder, std::uint64_t free_bytes);
// It must be there: nobody makes it. Without a name it is the system's.
Finding JudgeTemp(const NamedFolder& temp);
// Home matters where the folder of the data is below it.
Finding JudgeHome(const std::optional<std::string>& home, const std::filesystem::path& data);
// It may be missing if it can be made.
Finding JudgeFolder(const NamedFolder& folder);

}  // namespace falconer::app
