#pragma once
// TerminalChannel: tells the person at the terminal that a command waits for an approval.

#include <fmt/format.h>

#include "app/terminal.h"
#include "engine/approvals/approval_channel.h"
#include "model/plain_text.h"

namespace falconer::app {

class TerminalChannel final : public engine::ApprovalChannel {
 public:
  // The terminal must outlive this. Results go to standard output, this goes beside them.
  explicit TerminalChannel(Terminal& terminal) : terminal_(terminal) {}

  void Announce(const model::ApprovalRequest& request) override {
    terminal_.Complain(fmt::format("waits for approval {}: {}", request.request_id,
                                   model::PlainLine(request.description)));
    terminal_.Complain(
        fmt::format("decide in another terminal: falconer approvals show {0}, then "
                    "falconer approvals approve {0} or deny {0} --reason TEXT",
                    request.request_id));
  }
  void Ended(const model::ApprovalRecord& record) override {
    const std::string why =
        record.end_reason.empty() ? "" : ": " + model::PlainLine(record.end_reason);
    terminal_.Complain(fmt::format("approval {} is {}{}", record.request.request_id,
                                   NameIn(model::kApprovalStates, record.state), why));
  }

 private:
  Terminal& terminal_;
};

}  // namespace falconer::app
