#include "ledger/chain_lock.h"

#include <cerrno>
#include <fcntl.h>
#include <fmt/format.h>
#include <optional>
#include <sstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <system_error>
#include <thread>

#include "base/file.h"
#include "base/json/json.h"

namespace falconer::ledger {
namespace {

// A commit takes about a millisecond: looking more often than this would gain nothing.
constexpr auto kFirstPause = std::chrono::microseconds(20);
constexpr auto kLongestPause = std::chrono::microseconds(400);

Result<UniqueFd> OpenFile(const std::filesystem::path& path) {
  UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!fd) return IoFailure(path, "cannot open");
  return fd;
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

struct flock WholeFile(short type) {
  struct flock whole{};
  whole.l_type = type;
  whole.l_whence = SEEK_SET;
  return whole;
}

}  // namespace

ChainLock::Turn::~Turn() {
  if (fd_ >= 0) ::flock(fd_, LOCK_UN);
}

Result<ChainLock> ChainLock::Open(const ChainPaths& paths) {
  TRY_ASSIGN(UniqueFd open, OpenFile(paths.lock()));
  TRY_ASSIGN(UniqueFd next, OpenFile(paths.next_lock()));
  TRY_ASSIGN(UniqueFd turn, OpenFile(paths.turn_lock()));
  struct flock shared = WholeFile(F_RDLCK);
  if (::fcntl(open.get(), F_OFD_SETLK, &shared) != 0) return IoFailure(paths.lock(), "cannot lock");
  return ChainLock(paths.folder, std::move(open), std::move(next), std::move(turn));
}

Result<ChainLock::Turn> ChainLock::Take(std::chrono::milliseconds patience) const {
  const auto until = std::chrono::steady_clock::now() + patience;
  TRY(Lock(next_.get(), until));
  const Turn next(next_.get());
  TRY(Lock(turn_.get(), until));
  return Turn(turn_.get());
}

// flock() has no time limit and nothing tells when another process lets go, so it is asked again.
Result<void> ChainLock::Lock(int fd, std::chrono::steady_clock::time_point until) const {
  for (auto pause = kFirstPause; ::flock(fd, LOCK_EX | LOCK_NB) != 0;
       pause = std::min(pause * 2, kLongestPause)) {
    if (errno != EWOULDBLOCK && errno != EINTR) return IoFailure(folder_, "cannot lock");
    if (std::chrono::steady_clock::now() >= until) return Held(turn_.get(), folder_);
    std::this_thread::sleep_for(pause);
  }
  return {};
}

bool ChainLock::is_gone() const {
  struct stat status{};
  return ::fstat(turn_.get(), &status) != 0 || status.st_nlink == 0;
}

bool ChainLock::IsTaken(const std::filesystem::path& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct flock wanted = WholeFile(F_WRLCK);
  return fd && ::fcntl(fd.get(), F_OFD_GETLK, &wanted) == 0 && wanted.l_type != F_UNLCK;
}

}  // namespace falconer::ledger
