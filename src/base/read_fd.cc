#include "base/read_fd.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <unistd.h>

#include "base/file.h"

namespace falconer {

Result<std::string> ReadFd(const UniqueFd& fd, const std::filesystem::path& path,
                           std::size_t most) {
  std::string content;
  std::array<char, 65536> block;
  while (content.size() < most) {
    const std::size_t wanted = std::min(block.size(), most - content.size());
    const ssize_t n = ::read(fd.get(), block.data(), wanted);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return IoFailure(path, "cannot read");
    if (n == 0) break;
    content.append(block.data(), static_cast<std::size_t>(n));
  }
  return content;
}

}  // namespace falconer
