#include "app/approvals/approval_news.h"

#include <algorithm>
#include <utility>

namespace falconer::app {

std::vector<model::ApprovalRecord> ApprovalNews::In(std::vector<model::ApprovalRecord> records) {
  std::map<std::string, Known> now;
  for (const model::ApprovalRecord& record : records) {
    now[record.request.request_id] = {record.state, record.decisions.size()};
  }
  std::erase_if(records, [&](const model::ApprovalRecord& record) {
    const std::string& id = record.request.request_id;
    const auto before = known_.find(id);
    if (before == known_.end()) return is_first_ && record.is_over();
    return before->second == now.at(id);
  });
  std::ranges::reverse(records);
  known_ = std::move(now);
  is_first_ = false;
  return records;
}

}  // namespace falconer::app
