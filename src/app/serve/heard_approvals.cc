#include "app/serve/heard_approvals.h"

namespace falconer::app {

Task<Result<model::ApprovalRecord>> HeardApprovals::DecideAtClient(std::string /*request_id*/,
                                                                   model::ApprovalAnswer /*answer*/,
                                                                   std::string /*reason*/) {
  co_return Fail(ErrorCode::kForbidden, "a key for the role agent decides no approvals");
}

}  // namespace falconer::app
