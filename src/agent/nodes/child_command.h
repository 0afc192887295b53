#pragma once
// From a ChildSpec to a running keeper: what is looked up, made and handed over before.

#include <filesystem>
#include <sys/types.h>

#include "agent/nodes/child_spec.h"
#include "base/error.h"
#include "base/unique_fd.h"

namespace falconer::agent {

// Our ends of the pipes of a child that was started.
struct StartedKeeper {
  pid_t pid = 0;
  UniqueFd input;
  UniqueFd output;
  UniqueFd errors;
  UniqueFd start;  // StartReports
  UniqueFd end;    // the program's status
};

enum class UseNamespaces : std::uint8_t { kNo, kYes };

struct KeeperPlace {
  std::filesystem::path folder;  // the child's own
  int cgroup_door = -1;
  UseNamespaces namespaces = UseNamespaces::kYes;
};

// The files that may be the program, in the order of PATH. kToolUnavailable when there are none.
Result<std::vector<std::string>> FindProgram(const ChildSpec& spec);

// Where Falconer is root, children are nobody; else 0: whoever we are.
uid_t ChildUser();

// Starts the keeper, which starts the program. kToolUnavailable.
Result<StartedKeeper> StartKeeper(const ChildSpec& spec, const KeeperPlace& place);

}  // namespace falconer::agent
