#pragma once
// CommandBench: runs commands of the program in this process, in a data folder of their own.

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "app/cli.h"
#include "base/file.h"

namespace falconer::test {

// What a command printed, and how it ended.
struct Printed {
  int code = 0;
  std::string out;
  std::string err;

  std::string all() const { return out + err; }
};

// Runs a command with this data folder.
inline Printed RunCommand(std::vector<std::string> words, const std::filesystem::path& data,
                          const std::vector<std::string>& environment = {}) {
  words.insert(words.end(), {"--set", "data.dir=" + data.string()});
  std::ostringstream out;
  std::ostringstream err;
  app::Terminal terminal(out, err, app::Colour::kOff);
  const int code = app::RunCommandLine(words, environment, terminal);
  return {code, out.str(), err.str()};
}

class CommandBench : public testing::Test {
 protected:
  // `group` is what the words of every command begin with.
  explicit CommandBench(std::string group = "") : group_(std::move(group)) {}

  // Where commands have their data.
  virtual std::filesystem::path data() const { return folder_.path(); }

  Printed Print(std::vector<std::string> words) {
    if (!group_.empty()) words.insert(words.begin(), group_);
    return RunCommand(std::move(words), data());
  }
  // What it prints, errors last.
  std::string Text(std::vector<std::string> words, int code = app::kExitOk) {
    const Printed printed = Print(std::move(words));
    EXPECT_EQ(printed.code, code) << printed.all();
    return printed.all();
  }
  // The same with --json, read.
  json::object Run(std::vector<std::string> words, int code = app::kExitOk) {
    words.emplace_back("--json");
    const Printed printed = Print(std::move(words));
    EXPECT_EQ(printed.code, code) << printed.all();
    const auto parsed = ParseJsonObject(printed.out);
    EXPECT_TRUE(parsed) << printed.all();
    return parsed.value_or(json::object());
  }

  TempDir folder_ = TempDir::Create("falconer-command-test-").value();

 private:
  std::string group_;
};

}  // namespace falconer::test
