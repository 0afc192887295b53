#include "app/token/token_desk.h"

#include <utility>

#include "app/desk/desk_work.h"
#include "app/host/control_settings.h"

namespace falconer::app {

TokenDesk::TokenDesk(Program& program, std::unique_ptr<DataRooms> rooms)
    : program_(program),
      key_folder_(policy::KeyFolder::PathIn(program.settings().data.dir)),
      keys_(key_folder_, program.clock()),
      rooms_(std::move(rooms)),
      office_(
          TokenRulesFrom(program.settings()), keys_, **rooms_->store(), program.clock(),
          [this](std::string event, json::object what) { return Record(event, std::move(what)); }) {
}

Result<std::unique_ptr<TokenDesk>> TokenDesk::Open(Program& program) {
  TRY_ASSIGN(auto rooms, DataRooms::OpenWhole(program.settings(), program.clock()));
  return std::unique_ptr<TokenDesk>(new TokenDesk(program, std::move(rooms)));
}

Result<void> TokenDesk::CheckKeys() const {
  const auto ring = key_folder_.Load();
  if (ring || ring.error().code() == ErrorCode::kNotFound) return {};
  return Fail(AboutKey(ring.error(), kTokenKeys));
}

Task<Result<void>> TokenDesk::Record(std::string_view event, json::object what) {
  return rooms_->Record(tenant(), ledger::RecordKind::kToken, std::string(event), std::move(what));
}

int RunTokenWork(const Arguments& arguments, Terminal& terminal, TokenWork work, TokenPrint print) {
  return RunDeskWork<TokenDesk>(arguments, terminal, work, print);
}

}  // namespace falconer::app
