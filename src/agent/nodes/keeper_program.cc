#include "agent/nodes/keeper_program.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

#include "base/file.h"
#include "base/unique_fd.h"

#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

namespace falconer::agent {
namespace {

// Where the flag is not known, such files can be run without it.
UniqueFd MakeMemoryFile() {
  constexpr unsigned kFlags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  UniqueFd file(::memfd_create("falconer-keeper", kFlags | MFD_EXEC));
  if (!file && errno == EINVAL) file.Reset(::memfd_create("falconer-keeper", kFlags));
  return file;
}

Result<UniqueFd> LoadKeeper() {
  UniqueFd file = MakeMemoryFile();
  if (!file)
    return Fail(ErrorCode::kToolUnavailable,
                "cannot keep children: " + std::generic_category().message(errno));
  TRY(WriteAll(file.get(), "the keeper", KeeperBytes()));
  ::fcntl(file.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL);
  return file;
}

}  // namespace

// The child's own list of descriptors has been emptied when it is run: it is found in ours.
Result<std::string> KeeperPath() {
  static const Result<UniqueFd> keeper = LoadKeeper();
  if (!keeper) return Fail(keeper.error());
  return "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(keeper->get());
}

}  // namespace falconer::agent
