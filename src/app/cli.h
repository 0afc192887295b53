#pragma once
// The command line: words in, exit code out.

#include <expected>
#include <string>
#include <vector>

#include "app/command.h"

namespace falconer::app {

struct CommandLine {
  const Command* command = nullptr;
  Arguments arguments;
};

// Said instead of running a command: help, or what is wrong with the words.
struct Answer {
  int exit_code = kExitOk;
  std::string text;  // whole lines
};

// Reads the words after the program's name. Nothing else than the words is looked at.
std::expected<CommandLine, Answer> ParseCommandLine(const std::vector<std::string>& words);

// Parses and runs. `environment` holds "NAME=value" lines.
int RunCommandLine(const std::vector<std::string>& words, std::vector<std::string> environment,
                   Terminal& terminal);

}  // namespace falconer::app
