#pragma once
// DataRooms: what everybody who writes in the data folder works with, opened one way: store,
// redaction and ledger, with the options of the settings.

#include <memory>
#include <string>

#include "app/host/redaction_host.h"
#include "base/async/task.h"
#include "base/settings/settings.h"
#include "ledger/ledger.h"
#include "store/sqlite_store.h"

namespace falconer::app {

// Who gives the orders: the user of the system.
std::string OperatorName();

class DataRooms {
 public:
  // Makes the folder if there is none. That a room cannot be opened is said when it is asked for,
  // so that what needs only the others can still be done. The clock must outlive this. kIoError
  // when there is no folder.
  static Result<std::unique_ptr<DataRooms>> Open(const Settings& settings, Clock& clock);
  // The same, but all of it: fails as any of the rooms does. kIoError, kStoreDamaged,
  // kInvalidArgument and kUnauthorized for keys that are none or that others may read.
  static Result<std::unique_ptr<DataRooms>> OpenWhole(const Settings& settings, Clock& clock);

  // Fail as opening did.
  Result<store::SqliteStore*> store() const;
  Result<RedactionHost*> redaction() const;
  Result<ledger::Ledger*> ledger() const;

  // An order of the operator's, with his name; durable before it answers. `kind` says whose records
  // it is among.
  Task<Result<void>> Record(TenantId tenant, ledger::RecordKind kind, std::string event,
                            json::object what);

 private:
  DataRooms() = default;

  Result<std::unique_ptr<store::SqliteStore>> store_;
  // Before what writes: it redacts until the last line.
  Result<std::unique_ptr<RedactionHost>> redaction_;
  Result<std::unique_ptr<ledger::Ledger>> ledger_;
};

}  // namespace falconer::app
