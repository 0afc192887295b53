#pragma once
// TokenDesk: what the commands about tokens and keys work with. Everything they change is on record
// in the ledger of the tenant, as records of the kind "token".

#include <memory>

#include "app/host/data_rooms.h"
#include "app/wiring.h"
#include "kernel/tokens/token_office.h"

namespace falconer::app {

class TokenDesk {
 public:
  // Opens records and ledger in the data folder. The program must outlive this. kIoError,
  // kStoreDamaged, kInvalidArgument for keys that are none.
  static Result<std::unique_ptr<TokenDesk>> Open(Program& program);

  const Settings& settings() const { return program_.settings(); }
  Clock& clock() const { return program_.clock(); }
  const policy::KeyFolder& key_folder() const { return key_folder_; }
  kernel::TokenOffice& office() { return office_; }
  TenantId tenant() const { return TenantId(settings().tenant); }

  // What cannot be read of the keys that sign and check tokens; having none is fine.
  Result<void> CheckKeys() const;

  // With the name of who did it; durable before it answers.
  Task<Result<void>> Record(std::string_view event, json::object what);

 private:
  TokenDesk(Program& program, std::unique_ptr<DataRooms> rooms);

  Program& program_;
  policy::KeyFolder key_folder_;
  policy::LiveKeys keys_;
  std::unique_ptr<DataRooms> rooms_;  // all of them open
  kernel::TokenOffice office_;
};

// What a command does: answers what is printed as JSON, without "ok".
using TokenWork = Task<Result<json::object>> (*)(TokenDesk* desk, const Arguments* arguments);
// Prints that answer for people.
using TokenPrint = void (*)(const json::object& answer, Terminal& terminal);

// Runs a command: kExitOk, kExitUsage for wrong words, else what Program says about a failure.
int RunTokenWork(const Arguments& arguments, Terminal& terminal, TokenWork work, TokenPrint print);

}  // namespace falconer::app
