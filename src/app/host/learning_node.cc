#include "app/host/learning_node.h"

#include <fcntl.h>
#include <sys/file.h>

#include "base/file.h"
#include "base/random.h"

namespace falconer::app {
namespace {

constexpr int kMaxNodes = 64;
constexpr mode_t kNodeFileMode = 0600;
constexpr std::size_t kNameLength = 21;  // "node-" and 16 digits

// Names are random, so that those of several machines can be put together.
Result<std::string> NameIn(const UniqueFd& file, const std::filesystem::path& path) {
  TRY_ASSIGN(std::string name, ReadFile(path, kNameLength));
  if (name.size() == kNameLength && name.starts_with("node-")) return name;
  name = "node-" + RandomHex(8);
  if (::ftruncate(file.get(), 0) != 0) return IoFailure(path, "empty");
  TRY(WriteAll(file.get(), path, name));
  return name;
}

}  // namespace

Result<LearningNode> LearningNode::Take(const std::filesystem::path& data_folder) {
  const auto folder = data_folder / "predict";
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure) {
    return Fail(ErrorCode::kIoError, "create " + folder.string() + ": " + failure.message());
  }
  for (int at = 0; at < kMaxNodes; ++at) {
    const auto path = folder / ("node." + std::to_string(at));
    UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kNodeFileMode));
    if (!file) return IoFailure(path, "open");
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) continue;
    TRY_ASSIGN(std::string name, NameIn(file, path));
    return LearningNode(std::move(name), std::move(file));
  }
  return Fail(ErrorCode::kQueueFull, "too many programs learn in " + folder.string());
}

}  // namespace falconer::app
