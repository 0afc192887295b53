#pragma once
// What can be read of a file that is open.

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/unique_fd.h"

namespace falconer {

// From where it stands to its end, or `most` bytes of it. kIoError names `path`.
Result<std::string> ReadFd(const UniqueFd& fd, const std::filesystem::path& path, std::size_t most);

}  // namespace falconer
