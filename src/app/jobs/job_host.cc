#include "app/jobs/job_host.h"

#include <utility>

#include "agent/providers/key_source.h"
#include "api/http/control_panel.h"
#include "app/egress/egress_settings.h"
#include "app/egress/resolver_from.h"
#include "engine/domain_request_rule.h"
#include "kernel/leases/lease_owner.h"

namespace falconer::app {
namespace {

std::unexpected<Error> BadCallbackKey(std::string_view why) {
  return Fail(Error(ErrorCode::kInvalidSetting, "jobs.callback_key: " + std::string(why),
                    {{kSettingDetail, "jobs.callback_key"}}));
}

Result<void> CheckCallbackKey(const std::string& key) {
  if (key.empty()) return {};
  if (const auto reference = agent::ParseSecretName(key); !reference)
    return BadCallbackKey(reference.error().message());
  return {};
}

// Without the egress proxy there is no other proxy either.
Result<EgressConfig> WayOut(const Settings& settings) {
  if (!settings.egress.enabled) return EgressConfig();
  return EgressConfigFrom(settings);
}

}  // namespace

agent::JobLimits JobLimitsFrom(const Settings& settings) {
  const auto& jobs = settings.jobs;
  return {.at_once = static_cast<std::size_t>(jobs.at_once),
          .max_queued = static_cast<std::size_t>(jobs.max_queued),
          .keep = jobs.keep,
          .keep_count = static_cast<std::uint64_t>(jobs.keep_count),
          .keep_bytes = static_cast<std::uint64_t>(jobs.keep_bytes)};
}

JobHost::JobHost(policy::DomainRules rules, std::unique_ptr<net::Resolver> names,
                 net::EgressOptions options)
    : rule_(std::move(rules)),
      source_(std::move(names)),
      names_(*source_),
      web_(names_, rule_, std::move(options)) {
}

Result<std::unique_ptr<JobHost>> JobHost::Open(const Settings& settings,
                                               const api::ToolRooms& rooms) {
  TRY(CheckCallbackKey(settings.jobs.callback_key));
  TRY_ASSIGN(auto rules, policy::DomainRules::Create(engine::DomainConfigFrom(
                             settings.policy.allow_domains, settings.policy.deny_domains,
                             settings.policy.connect_domains)));
  TRY_ASSIGN(EgressConfig way, WayOut(settings));
  std::unique_ptr<JobHost> host(new JobHost(std::move(rules), ResolverFrom(way.name_servers),
                                            {.upstream = std::move(way.upstream)}));
  host->ground_ = {.store = &rooms.panel->store,
                   .tenant = rooms.caller.tenant,
                   .folder = settings.data.dir / "jobs",
                   .owner = kernel::OwnLeaseOwner(),
                   .has_ended = kernel::HasEnded,
                   .callbacks = std::make_shared<agent::CallbackDesk>(
                       agent::KeysFrom(rooms.runtime->parts().secrets),
                       [web = &host->web_](CallContext ctx, net::HttpCall call) {
                         return web->Send(std::move(ctx), std::move(call));
                       },
                       agent::CallbackRules{.key = settings.jobs.callback_key})};
  return host;
}

}  // namespace falconer::app
