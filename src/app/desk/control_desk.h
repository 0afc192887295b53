#pragma once
// ControlDesk: what the commands work with that limit, pause and end work. Everything they change
// is on record in the ledger, as records of the kind "operator".

#include <memory>
#include <string>
#include <utility>

#include "app/host/data_rooms.h"
#include "app/wiring.h"

namespace falconer::app {

class ControlDesk {
 public:
  // Opens store and ledger in the data folder; that one of them cannot be opened is said when it is
  // asked for, so that what needs only the other can still be done. The program must outlive this.
  // kIoError when there is no data folder.
  static Result<std::unique_ptr<ControlDesk>> Open(Program& program);

  // Fail as opening did.
  Result<store::SqliteStore*> store() const { return rooms_->store(); }
  Result<ledger::Ledger*> ledger() const { return rooms_->ledger(); }

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
  ControlDesk(Program& program, std::unique_ptr<DataRooms> rooms)
      : program_(program), rooms_(std::move(rooms)) {}

  Program& program_;
  std::unique_ptr<DataRooms> rooms_;
};

}  // namespace falconer::app
