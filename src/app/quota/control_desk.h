#pragma once
// ControlDesk: what the commands work with that limit, pause and end work. Everything they change
// is on record in the ledger, as records of the kind "operator".

#include <memory>
#include <string>

#include "app/host/redaction_host.h"
#include "app/wiring.h"
#include "ledger/ledger.h"
#include "model/tenant_quota.h"
#include "store/sqlite_store.h"

namespace falconer::app {

// What the settings say about tenants that have no limits of their own, and about circuits.
model::TenantQuota QuotaFrom(const Settings& settings);
store::BreakerLimits BreakerLimitsFrom(const Settings& settings);

// Who gives the order: the user of the system.
std::string OperatorName();

// --reason: must be given. kInvalidArgument.
Result<std::string> ReasonOf(const Arguments& arguments);

class ControlDesk {
 public:
  // Opens store and ledger in the data folder; that one of them cannot be opened is said when it is
  // asked for, so that what needs only the other can still be done. The program must outlive this.
  // kIoError when there is no data folder.
  static Result<std::unique_ptr<ControlDesk>> Open(Program& program);

  // Fail as opening did.
  Result<store::SqliteStore*> store() const;
  Result<ledger::Ledger*> ledger() const;

  const Settings& settings() const { return program_.settings(); }
  Clock& clock() const { return program_.clock(); }
  // The one of the settings.
  TenantId tenant() const { return TenantId(settings().tenant); }
  // --tenant, or the one of the settings.
  TenantId TenantOf(const Arguments& arguments) const;

  // Durable before it answers. In the chain of the tenant, or of the settings' one when it is
  // everybody's.
  Task<Result<void>> Record(TenantId tenant, std::string event, json::object what);

 private:
  explicit ControlDesk(Program& program) : program_(program) {}
  Result<void> OpenLedger();

  Program& program_;
  Result<std::unique_ptr<store::SqliteStore>> store_;
  std::unique_ptr<RedactionHost> redaction_;
  Result<std::unique_ptr<ledger::Ledger>> ledger_;
};

}  // namespace falconer::app
