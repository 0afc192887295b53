#pragma once
// ChildProgram: the built program run as a child, as a person or a script would run it: with its
// own environment, temporary folder and working folder.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <sys/types.h>
#include <vector>

#include "base/file.h"
#include "base/json/json.h"
#include "base/unique_fd.h"

namespace falconer::test {

struct Ended {
  int exit_code = -1;  // 128 + signal when a signal ended it
  std::string out;
  std::string err;

  // The one object that --json prints; empty when it is none.
  json::object Answer() const;
};

class ChildProgram {
 public:
  // `environment` comes on top of a small one of its own ("NAME=value"). `closed` are descriptors
  // that the program is started without; `program` is another one than the built.
  explicit ChildProgram(std::vector<std::string> arguments,
                        std::vector<std::string> environment = {}, std::vector<int> closed = {},
                        std::string program = FALCONER_PROGRAM);
  // Kills it if it still runs.
  ~ChildProgram();
  ChildProgram(const ChildProgram&) = delete;
  ChildProgram& operator=(const ChildProgram&) = delete;

  // Reads its output until the text has come; false when it ended or a minute passed before.
  bool WaitForOutput(std::string_view text);
  void PressEnter();
  // Everything that its standard input will ever hold.
  void Feed(std::string_view text);
  // Writes to its input, which stays open.
  void Send(std::string_view text);
  void CloseInput();
  // What it has written so far, and whether more of it came within a minute.
  const std::string& output() const { return ended_.out; }
  bool WaitForMoreOutput();
  void Signal(int number);
  // Waits for its end. A program that runs on for a minute is killed and answers -1.
  Ended Wait();

  // Where it ran: relative paths of its arguments start here.
  std::filesystem::path folder() const { return home_.path() / "work"; }
  // Processes, the program's own excepted, that have something to do with its folders.
  std::vector<std::string> Survivors() const;
  // What it left in its temporary folder.
  std::vector<std::string> LeftBehind() const;

 private:
  // The first word is the program.
  void Start(std::vector<std::string> words, std::vector<std::string> environment,
             const std::vector<int>& closed);
  // Reads what is there, waiting a moment for it; false at the end of both streams.
  bool ReadSome();

  TempDir home_;
  pid_t pid_ = 0;
  UniqueFd in_;
  UniqueFd out_;
  UniqueFd err_;
  Ended ended_;
};

// Runs the program to its end.
Ended RunProgram(std::vector<std::string> arguments, std::vector<std::string> environment = {});
// The same with another program, by its path.
Ended RunTool(std::string path, std::vector<std::string> arguments,
              std::vector<std::string> environment = {});

}  // namespace falconer::test
