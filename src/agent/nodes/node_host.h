#pragma once
// NodeHost: what nodes have of the house that they are in.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <vector>

#include "agent/providers/key_source.h"
#include "base/async/call_context.h"

namespace falconer::agent {

struct NodeHost {
  // Where secrets come from; without it, a node that needs one is not to be had.
  KeySource keys = {};
  // Folders that are nobody's business: Falconer's own.
  std::vector<std::filesystem::path> hidden = {};
  // Of the lease of whoever calls; may be empty.
  std::function<std::int64_t(const Correlation&)> epoch = {};
};

}  // namespace falconer::agent
