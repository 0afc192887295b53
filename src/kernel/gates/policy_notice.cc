#include "kernel/gates/policy_notice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/log.h"
#include "model/url.h"

namespace falconer::kernel {

void PolicyNotice::Tell() const {
  if (audit.notify.empty()) return;
  LOG(warn, "policy.notify", {"who", fmt::format("{}", fmt::join(audit.notify, ","))},
      {"level", NameIn(policy::kAuditLevels, audit.level)}, {"effect", effect}, {"rule", rule},
      {"tenant", facts.tenant}, {"agent", facts.agent}, {"host", model::SplitUrl(facts.url).host},
      {"decision", decision});
}

json::object AuditOnRecord(const policy::AuditTerms& audit) {
  if (audit == policy::AuditTerms()) return {};
  json::object out{{"level", NameIn(policy::kAuditLevels, audit.level)}};
  if (!audit.notify.empty()) out["notify"] = json::array(audit.notify.begin(), audit.notify.end());
  return out;
}

}  // namespace falconer::kernel
