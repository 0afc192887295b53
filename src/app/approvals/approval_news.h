#pragma once
// ApprovalNews: what is new among approvals since one last looked.

#include <map>
#include <string>
#include <vector>

#include "model/approval/approval_record.h"

namespace falconer::app {

class ApprovalNews {
 public:
  // Those that were not there before, and those that have changed since: another decision, or the
  // end. The first time only what is pending is news. Oldest first.
  std::vector<model::ApprovalRecord> In(std::vector<model::ApprovalRecord> records);

 private:
  struct Known {
    model::ApprovalState state = model::ApprovalState::kPending;
    std::size_t decisions = 0;
    bool operator==(const Known&) const = default;
  };

  bool is_first_ = true;
  std::map<std::string, Known> known_;
};

}  // namespace falconer::app
