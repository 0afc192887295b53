#pragma once
// VisitSession: a session that pages of one host are visited in, by contracts like anybody else's:
// policy, quotas and egress apply, and all of it is on record.

#include <chrono>
#include <memory>
#include <string>

#include "agent/crawl/crawl_host.h"
#include "model/contract/result.h"

namespace falconer::agent {

class VisitSession {
 public:
  // Nothing is opened before the first contract.
  VisitSession(std::shared_ptr<CrawlHost> host, engine::SessionWish wish);

  // What the action came to; fails as it did, with its code, details and denial id.
  Task<Result<model::ActionExecutionResult>> Act(CallContext ctx, json::object contract,
                                                 std::chrono::milliseconds timeout);
  // Also when nobody waits for the page any more.
  Task<void> Close(CallContext ctx) const;

  const WorkflowId& workflow() const { return workflow_; }
  const engine::SessionWish& wish() const { return wish_; }
  std::int64_t steps() const { return steps_; }

 private:
  std::shared_ptr<CrawlHost> host_;
  engine::SessionWish wish_;
  WorkflowId workflow_;
  std::int64_t steps_ = 0;
};

// The part of that name of an action's outcome; null when there is none.
const json::object* OutcomePart(const model::ActionExecutionResult& result, std::string_view name);

}  // namespace falconer::agent
