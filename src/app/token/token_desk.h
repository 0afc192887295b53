#pragma once
// TokenDesk: what the commands about tokens and keys work with. Everything they change is on record
// in the ledger of the tenant, as records of the kind "token".

#include <memory>

#include "app/host/redaction_host.h"
#include "app/wiring.h"
#include "ledger/ledger.h"
#include "policy/tokens/live_keys.h"
#include "store/sqlite_store.h"

namespace falconer::app {

// The rules that tokens are made and checked by.
policy::TokenRules TokenRulesFrom(const Settings& settings);

class TokenDesk {
 public:
  // Opens records and ledger in the data folder. The program must outlive this. kIoError,
  // kStoreDamaged, kInvalidArgument for keys that are none.
  static Result<std::unique_ptr<TokenDesk>> Open(Program& program);

  const Settings& settings() const { return program_.settings(); }
  Clock& clock() const { return program_.clock(); }
  const policy::KeyFolder& key_folder() const { return key_folder_; }
  const policy::LiveKeys& keys() const { return keys_; }
  store::TokenStore& records() { return *store_; }
  TenantId tenant() const { return TenantId(settings().tenant); }

  // Durable before it answers.
  Task<Result<void>> Record(std::string_view event, json::object what);

 private:
  explicit TokenDesk(Program& program);

  Program& program_;
  policy::KeyFolder key_folder_;
  policy::LiveKeys keys_;
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<RedactionHost> redaction_;
  std::unique_ptr<ledger::Ledger> ledger_;
};

// What a command does: answers what is printed as JSON, without "ok".
using TokenWork = Task<Result<json::object>> (*)(TokenDesk* desk, const Arguments* arguments);
// Prints that answer for people.
using TokenPrint = void (*)(const json::object& answer, Terminal& terminal);

// Runs a command: kExitOk, kExitUsage for wrong words, else what Program says about a failure.
int RunTokenWork(const Arguments& arguments, Terminal& terminal, TokenWork work, TokenPrint print);

// "2026-01-31T10:00:00Z".
std::string IsoTime(WallTime time);
// A duration such as "90s" in whole seconds; nothing when the text is empty. kInvalidArgument
// naming the option.
Result<std::optional<std::chrono::seconds>> SecondsOf(std::string_view option,
                                                      const std::string& text);

}  // namespace falconer::app
