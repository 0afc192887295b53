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

class CommandBench : public testing::Test {
 protected:
  CommandBench() : folder_(TempDir::Create("falconer-command-test-").value()) {}

  // What it prints on standard output.
  std::string Text(std::vector<std::string> words, int code = app::kExitOk) {
    words.insert(words.end(), {"--set", "data.dir=" + folder_.path().string()});
    std::ostringstream out;
    std::ostringstream err;
    app::Terminal terminal(out, err, app::Colour::kOff);
    EXPECT_EQ(app::RunCommandLine(words, {}, terminal), code) << out.str() << err.str();
    return out.str();
  }
  // The same with --json, read.
  json::object Run(std::vector<std::string> words, int code = app::kExitOk) {
    words.emplace_back("--json");
    const std::string text = Text(std::move(words), code);
    const auto parsed = ParseJsonObject(text);
    EXPECT_TRUE(parsed) << text;
    return parsed.value_or(json::object());
  }

  TempDir folder_;
};

}  // namespace falconer::test
