#include "app/secrets/secret_input.h"

#include <algorithm>
#include <cerrno>
#include <string>
#include <termios.h>
#include <unistd.h>

#include "base/file.h"

namespace falconer::app {
namespace {

// Turns a terminal's echo off for as long as it lives.
class QuietTerminal {
 public:
  explicit QuietTerminal(std::string_view prompt) {
    if (::isatty(STDIN_FILENO) == 0 || ::tcgetattr(STDIN_FILENO, &before_) != 0) return;
    termios quiet = before_;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    is_quiet_ = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &quiet) == 0;
    Say(prompt);
  }
  ~QuietTerminal() {
    if (!is_quiet_) return;
    ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
    Say("\n");
  }
  QuietTerminal(const QuietTerminal&) = delete;
  QuietTerminal& operator=(const QuietTerminal&) = delete;

 private:
  static void Say(std::string_view text) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  }
  termios before_{};
  bool is_quiet_ = false;
};

}  // namespace

Result<policy::SecretText> ReadSecret(std::string_view prompt) {
  const QuietTerminal quiet(prompt);
  policy::SecretText text = policy::SecretText::OfSize(kLongestTypedSecret + 1);
  std::size_t size = 0;
  while (size < text.size() && !text.Reveal().substr(0, size).contains('\n')) {
    const ssize_t n = ::read(STDIN_FILENO, text.Writable().data() + size, text.size() - size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return IoFailure("standard input", "cannot read");
    if (n == 0) break;
    size += static_cast<std::size_t>(n);
  }
  const std::size_t end = std::min(text.Reveal().substr(0, size).find_first_of("\r\n"), size);
  if (end > kLongestTypedSecret) {
    return Fail(ErrorCode::kInvalidArgument, "the secret is longer than 64 KiB");
  }
  text.Shrink(end);
  if (text.empty()) return Fail(ErrorCode::kInvalidArgument, "standard input holds no secret");
  return text;
}

}  // namespace falconer::app
