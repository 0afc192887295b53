#pragma once
// JobHost: what the queue of jobs works with in a server, made from the settings: the store, the
// folder of results, and how callbacks leave (by the same rules as what pages load).

#include <memory>

#include "agent/jobs/job_queue.h"
#include "api/tools/tool_host.h"
#include "app/egress/policy_egress_rule.h"
#include "app/wiring.h"
#include "net/egress/checked_web.h"
#include "net/egress/local_names.h"

namespace falconer::app {

agent::JobLimits JobLimitsFrom(const Settings& settings);

class JobHost {
 public:
  // The rooms must outlive it. kInvalidSetting.
  static Result<std::unique_ptr<JobHost>> Open(const Settings& settings,
                                               const api::ToolRooms& rooms);
  JobHost(const JobHost&) = delete;
  JobHost& operator=(const JobHost&) = delete;

  // This must outlive the queue's work.
  const agent::JobGround& ground() const { return ground_; }

 private:
  JobHost(policy::DomainRules rules, std::unique_ptr<net::Resolver> names,
          net::EgressOptions options);

  PolicyEgressRule rule_;
  std::unique_ptr<net::Resolver> source_;
  net::LocalNames names_;
  net::CheckedWeb web_;
  agent::JobGround ground_;
};

}  // namespace falconer::app
