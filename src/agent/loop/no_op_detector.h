#pragma once
// NoOpDetector: notices a run that goes round in circles: the same calls with the same answers, or
// one answer after the other that says the same.

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "agent/loop/run_step.h"

namespace falconer::agent {

class NoOpDetector {
 public:
  explicit NoOpDetector(std::int64_t limit) : limit_(limit) {}

  // Tells of a step. True when it is one too many.
  bool Note(const RunStep& step);

 private:
  std::int64_t limit_;
  // How often the same was done with the same answer since something new was last seen.
  std::map<std::string, std::int64_t> same_;
  std::set<std::string> answers_;
  std::string last_answer_;
  std::int64_t in_a_row_ = 0;
};

}  // namespace falconer::agent
