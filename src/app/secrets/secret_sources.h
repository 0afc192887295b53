#pragma once
// Where secrets come from, as the settings and the environment say: the vault, FALCONER_SECRET_*,
// commands; asked in that order.

#include <memory>
#include <string>
#include <vector>

#include "base/settings/settings.h"
#include "policy/secrets/command_source.h"
#include "policy/secrets/open_vault.h"

namespace falconer::app {

policy::VaultHome VaultHomeFrom(const Settings& settings, std::vector<std::string> environment);

// "NAME HOST[|HOST] PROGRAM ARGUMENT ...", with NAME:FIELD for another field than value.
// kInvalidSetting says what is wrong with it.
Result<policy::SecretCommand> ParseSecretCommand(std::string_view text);

// kInvalidSetting for commands and hosts that are none. The vault is opened when it is first asked
// and there: one that comes later is found.
Result<std::vector<std::unique_ptr<policy::SecretSource>>> SecretSourcesFrom(
    const Settings& settings, const std::vector<std::string>& environment);

}  // namespace falconer::app
