#pragma once
// ChildCgroup: a control group (v2) of one child, where the system lets us make one: what bounds
// all processes of a child together, counts what they used, and ends all of them at once.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agent/nodes/child_spec.h"
#include "base/unique_fd.h"

namespace falconer::agent {

class ChildCgroup {
 public:
  struct Use {
    std::optional<std::chrono::milliseconds> cpu_time = std::nullopt;
    std::optional<std::int64_t> peak_memory_bytes = std::nullopt;
    bool is_out_of_memory = false;
  };

  // Below the group that we are in, or beside it where that has been delegated to us. None when the
  // system does not let us.
  static std::optional<ChildCgroup> Create(const ChildLimits& limits);
  // Removes those that nobody holds any more: their owner was killed.
  static void RemoveAbandoned();
  ChildCgroup(ChildCgroup&& other) noexcept;
  ChildCgroup& operator=(ChildCgroup&&) = delete;
  // Ends everything in it and removes it.
  ~ChildCgroup();

  // A process that writes "0" to it comes in.
  const UniqueFd& door() const { return door_; }
  // "cgroup", and which of its limits are in force: "cgroup_memory", "cgroup_processes",
  // "cgroup_cpu".
  const std::vector<std::string>& bounds() const { return bounds_; }

  void Kill() const;
  Use Read() const;

 private:
  ChildCgroup(std::filesystem::path path, UniqueFd claim, UniqueFd door);
  void SetLimits(const ChildLimits& limits);

  std::filesystem::path path_;
  UniqueFd claim_;
  UniqueFd door_;
  std::vector<std::string> bounds_;
};

}  // namespace falconer::agent
