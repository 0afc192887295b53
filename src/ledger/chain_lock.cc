#include "ledger/chain_lock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <poll.h>
#include <sstream>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <system_error>

#include "base/file.h"
#include "base/json/json.h"
#include "ledger/chain_file.h"

namespace falconer::ledger {
namespace {

Result<UniqueFd> OpenLock(const std::filesystem::path& path) {
  return OpenChainFile(path, O_RDWR | O_CREAT);
}

// The process that holds a lock on the file, as the system's list has it.
std::optional<int> HolderOf(int fd) {
  struct stat status{};
  const auto list = ReadFile("/proc/locks");
  if (!list || ::fstat(fd, &status) != 0) return std::nullopt;
  const std::string file =
      fmt::format("{:02x}:{:02x}:{}", major(status.st_dev), minor(status.st_dev), status.st_ino);
  std::istringstream lines(*list);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string number, kind, how, mode, pid, place;
    // Those who wait have an arrow in the second column.
    if (words >> number >> kind >> how >> mode >> pid >> place && kind == "FLOCK" && place == file)
      return std::atoi(pid.c_str());
  }
  return std::nullopt;
}

std::unexpected<Error> Held(int turn, const std::filesystem::path& folder) {
  const std::optional<int> holder = HolderOf(turn);
  json::object details{{"chain", folder.filename().string()}};
  if (holder) details["holder"] = *holder;
  const std::string who = holder ? "process " + std::to_string(*holder) : "another process";
  return Fail(Error(ErrorCode::kTimeout,
                    who + " writes the ledger in " + folder.string() + " and does not let go",
                    std::move(details)));
}

std::filesystem::path AgainPath(int fd) {
  return "/proc/self/fd/" + std::to_string(fd);
}

// The same file, opened once more.
Result<UniqueFd> OpenAgain(int fd) {
  const std::filesystem::path path = AgainPath(fd);
  UniqueFd again(::open(path.c_str(), O_RDWR | O_CLOEXEC));
  if (!again) return IoFailure(path, "cannot open");
  return again;
}

bool IsLocked(int fd) {
  return ::flock(fd, LOCK_EX | LOCK_NB) == 0;
}

Result<UniqueFd> WatchClosings(int fd) {
  const std::filesystem::path path = AgainPath(fd);
  UniqueFd watch(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
  if (!watch || ::inotify_add_watch(watch.get(), path.c_str(), IN_CLOSE_WRITE) < 0)
    return IoFailure(path, "cannot watch");
  return watch;
}

// The system tells of a closing a moment before it takes the lock away. Whoever looks in between
// would wait for a closing that never comes, so everybody looks again after so long.
constexpr std::chrono::milliseconds kLookAgain(5);

// False when the time is over.
bool AwaitClosing(int watch, std::chrono::steady_clock::time_point until) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(until - std::chrono::steady_clock::now());
  if (left.count() <= 0) return false;
  pollfd event{.fd = watch, .events = POLLIN, .revents = 0};
  ::poll(&event, 1, static_cast<int>(std::min(left, kLookAgain).count()));
  // All that is told so far asks for one look.
  std::array<char, 4096> told;
  while (::read(watch, told.data(), told.size()) > 0) continue;
  return true;
}

struct flock WholeFile(short type) {
  struct flock whole{};
  whole.l_type = type;
  whole.l_whence = SEEK_SET;
  return whole;
}

}  // namespace

Result<ChainLock> ChainLock::Open(const ChainPaths& paths) {
  TRY_ASSIGN(UniqueFd open, OpenLock(paths.lock()));
  TRY_ASSIGN(UniqueFd next, OpenLock(paths.next_lock()));
  TRY_ASSIGN(UniqueFd turn, OpenLock(paths.turn_lock()));
  struct flock shared = WholeFile(F_RDLCK);
  if (::fcntl(open.get(), F_OFD_SETLK, &shared) != 0) return IoFailure(paths.lock(), "cannot lock");
  return ChainLock(paths.folder, std::move(open), std::move(next), std::move(turn));
}

Result<ChainLock::Turn> ChainLock::Take(std::chrono::milliseconds patience) const {
  const auto until = std::chrono::steady_clock::now() + patience;
  TRY_ASSIGN(const UniqueFd next, Lock(next_.get(), until));
  TRY_ASSIGN(UniqueFd turn, Lock(turn_.get(), until));
  return Turn(std::move(turn));
}

// flock() has no time limit, but every lock ends with the closing of a file, and that is told.
Result<UniqueFd> ChainLock::Lock(int fd, std::chrono::steady_clock::time_point until) const {
  TRY_ASSIGN(UniqueFd own, OpenAgain(fd));
  if (IsLocked(own.get())) return own;
  TRY_ASSIGN(const UniqueFd closings, WatchClosings(fd));
  while (!IsLocked(own.get())) {
    if (errno != EWOULDBLOCK && errno != EINTR) return IoFailure(folder_, "cannot lock");
    if (!AwaitClosing(closings.get(), until)) return Held(turn_.get(), folder_);
  }
  return own;
}

bool ChainLock::is_gone() const {
  struct stat status{};
  return ::fstat(turn_.get(), &status) != 0 || status.st_nlink == 0;
}

bool ChainLock::IsTaken(const std::filesystem::path& path) {
  const Result<UniqueFd> fd = OpenChainFile(path);
  struct flock wanted = WholeFile(F_WRLCK);
  return fd && ::fcntl(fd->get(), F_OFD_GETLK, &wanted) == 0 && wanted.l_type != F_UNLCK;
}

}  // namespace falconer::ledger
