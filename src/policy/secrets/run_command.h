#pragma once
// Runs a program for its output: `pass`, `op`, `vault`, `secret-tool`. No shell: words are passed
// as they are. What it writes to standard output is held as a secret; what it complains about is
// thrown away, for it may quote secrets.

#include <chrono>
#include <string>
#include <vector>

#include "policy/secrets/secret_text.h"

namespace falconer::policy {

struct CommandLimits {
  std::chrono::milliseconds timeout{10'000};
  std::size_t output_bytes = 64UL * 1024;
};

// Blocks until the program has ended, at most for the timeout: not for the event loop's thread. The
// program is found by PATH and gets `input` on standard input. kToolUnavailable when it cannot be
// started, kToolTimeout when it takes too long (it is killed with its children), kExecutionError
// when it fails or writes too much.
Result<SecretText> RunCommand(const std::vector<std::string>& words, const SecretText& input = {},
                              CommandLimits limits = {});

}  // namespace falconer::policy
