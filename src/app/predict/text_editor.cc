#include "app/predict/text_editor.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

namespace falconer::app {
namespace {

constexpr const char* kEditors[] = {"VISUAL", "EDITOR"};

// The command is given as a word of its own, so that nothing in the file's name is read as one.
Result<void> RunEditor(std::string_view command, const std::filesystem::path& file) {
  std::string shell = "sh";
  std::string flag = "-c";
  std::string line = std::string(command) + R"( "$0")";
  std::string name = file.string();
  std::array<char*, 5> words = {shell.data(), flag.data(), line.data(), name.data(), nullptr};
  pid_t child = 0;
  if (::posix_spawnp(&child, "sh", nullptr, nullptr, words.data(), environ) != 0)
    return Fail(ErrorCode::kExecutionError, "the editor cannot be started");
  int status = 0;
  while (::waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return Fail(ErrorCode::kExecutionError, "the editor is lost");
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  return Fail(ErrorCode::kExecutionError,
              fmt::format("the editor failed ({}); set EDITOR to another one", command));
}

}  // namespace

Result<std::string> EditText(std::string_view text, std::string_view command,
                             std::string_view file_name) {
  TRY_ASSIGN(const TempDir folder, TempDir::Create("falconer-edit-"));
  const std::filesystem::path file = folder.path() / file_name;
  TRY(WriteFileAtomic(file, text));
  TRY(RunEditor(command, file));
  return ReadFile(file);
}

std::string EditorCommand() {
  for (const char* const name : kEditors) {
    // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing sets it
    const char* const value = std::getenv(name);
    if (value != nullptr && *value != '\0') return value;
  }
  return "vi";
}

}  // namespace falconer::app
