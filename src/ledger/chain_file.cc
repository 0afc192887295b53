#include "ledger/chain_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/stat.h>

#include "base/file.h"

namespace falconer::ledger {
namespace {

std::unexpected<Error> NotPlain(const std::filesystem::path& path) {
  return Fail(Error(ErrorCode::kLedgerDamaged, path.string() + " is no plain file",
                    {{"path", path.string()}}));
}

// What open(2) says of links, and of pipes and sockets that nobody has at the other end.
bool IsNotPlain(int number) {
  return number == ELOOP || number == ENXIO || number == EISDIR;
}

}  // namespace

Result<UniqueFd> OpenChainFile(const std::filesystem::path& path, int flags) {
  // For a plain file O_NONBLOCK means nothing.
  UniqueFd fd(::open(path.c_str(), flags | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!fd && IsNotPlain(errno)) return NotPlain(path);
  if (!fd) return IoFailure(path, "cannot open");
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return IoFailure(path, "cannot read");
  if (!S_ISREG(status.st_mode)) return NotPlain(path);
  return fd;
}

Result<std::string> ReadChainFile(const std::filesystem::path& path, std::size_t most) {
  TRY_ASSIGN(const UniqueFd fd, OpenChainFile(path));
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

}  // namespace falconer::ledger
