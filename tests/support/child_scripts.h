#pragma once
// Programs that tests run as children: Python and shell scripts in a folder that anybody can read,
// because children of root are nobody.

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "agent/nodes/child_spec.h"
#include "base/file.h"

namespace falconer::test {

class ChildScripts {
 public:
  ChildScripts() : folder_(TempDir::Create("falconer-scripts-").value()) {
    std::filesystem::permissions(folder_.path(), std::filesystem::perms(0755));
  }

  const std::filesystem::path& folder() const { return folder_.path(); }

  // A script to be run by the interpreter that its first line names.
  std::filesystem::path Write(std::string_view name, std::string_view text) const {
    const std::filesystem::path path = folder() / name;
    std::ofstream(path) << text;
    std::filesystem::permissions(path, std::filesystem::perms(0755));
    return path;
  }

  // Limits that a slow machine does not meet by accident.
  static agent::ChildLimits Generous() {
    return {
        .timeout = std::chrono::seconds(60), .grace = std::chrono::seconds(10), .cpu_seconds = 30};
  }

  agent::ChildSpec Python(std::string_view text) const {
    return {.program = "/usr/bin/python3",
            .arguments = {"-I", Write("script.py", text).string()},
            .limits = Generous()};
  }

  agent::ChildSpec Shell(std::string_view text) const {
    return {.program = "/bin/sh",
            .arguments = {Write("script.sh", text).string()},
            .limits = Generous()};
  }

 private:
  TempDir folder_;
};

}  // namespace falconer::test
