#pragma once
// CommandSource: secrets that a password manager's command prints (`pass show shop`, `op read
// op://...`, `vault kv get -field=password ...`). Each is asked for anew, when it is used.

#include <string>
#include <string_view>
#include <vector>

#include "policy/secrets/run_command.h"
#include "policy/secrets/secret_source.h"

namespace falconer::policy {

struct SecretCommand {
  std::string name;
  std::vector<std::string> words;  // the program and its arguments; no shell
  std::vector<HostPattern> hosts;
  std::string field = "value";
  SecretType type = SecretType::kPassword;
};

class CommandSource final : public SecretSource {
 public:
  explicit CommandSource(std::vector<SecretCommand> commands, CommandLimits limits = {})
      : commands_(std::move(commands)), limits_(limits) {}

  std::string_view kind() const override { return "command"; }
  // Runs the command; the first line of what it prints is the value. Blocks. Fails like RunCommand,
  // and with kExecutionError when it prints nothing.
  Result<Secret> Find(std::string_view name) override;
  Result<std::vector<SecretInfo>> List() override;
  // None: commands may ask people.
  Result<std::vector<Secret>> Known() override;

 private:
  std::vector<SecretCommand> commands_;
  CommandLimits limits_;
};

}  // namespace falconer::policy
