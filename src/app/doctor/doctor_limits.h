#pragma once
// The doctor's checks of what this process may use: open files, processes, memory.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "app/doctor/doctor.h"

namespace falconer::app {

Task<Finding> CheckOpenFiles(CallContext ctx, Visit* visit);
Task<Finding> CheckProcesses(CallContext ctx, Visit* visit);
Task<Finding> CheckMemory(CallContext ctx, Visit* visit);

// The same for checks that look for the reason of a failure.
Finding ExamineOpenFiles();
Finding ExamineProcesses();
Finding ExamineMemory();

// One limit of the system (getrlimit).
struct LimitRow {
  int resource;
  std::uint64_t enough;  // less is a warning
  std::uint64_t least;   // less is a failure
  std::string (*say)(std::uint64_t limit);
  std::string_view in_shell;  // raises it as far as the hard limit allows
  std::string_view as_root;   // raises the hard limit too
};

struct Limit {
  std::uint64_t soft = 0;  // what holds
  std::uint64_t hard = 0;  // what it may be raised to without being root
};

std::span<const LimitRow> AllLimits();
Finding JudgeLimit(const LimitRow& row, const Limit& limit);
// Bytes that can still be had.
Finding JudgeMemory(std::uint64_t available);

}  // namespace falconer::app
