#include "ledger/chain_file.h"

#include <cerrno>
#include <sys/stat.h>

#include "base/file.h"
#include "base/read_fd.h"

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
  return ReadFd(fd, path, most);
}

}  // namespace falconer::ledger
