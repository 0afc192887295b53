#include "app/desk/control_desk.h"

#include <utility>

namespace falconer::app {

Result<std::unique_ptr<ControlDesk>> ControlDesk::Open(Program& program) {
  TRY_ASSIGN(auto rooms, DataRooms::Open(program.settings(), program.clock()));
  return std::unique_ptr<ControlDesk>(new ControlDesk(program, std::move(rooms)));
}

TenantId ControlDesk::TenantOf(const Arguments& arguments) const {
  return arguments.tenant.empty() ? tenant() : TenantId(arguments.tenant);
}

Task<Result<void>> ControlDesk::Record(TenantId of, std::string event, json::object what) {
  return rooms_->Record(of.empty() ? tenant() : std::move(of), ledger::RecordKind::kOperator,
                        std::move(event), std::move(what));
}

}  // namespace falconer::app
