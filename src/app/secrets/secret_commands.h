#pragma once
// `falconer secrets ...`: what is in the vault of the data folder. Values come from standard input
// only and are never printed.

#include "app/command.h"

namespace falconer::app {

// Adds a secret, or sets one field of it. The first one makes the vault and its key.
int RunSecretsAdd(const Arguments& arguments, Terminal& terminal);
int RunSecretsList(const Arguments& arguments, Terminal& terminal);
int RunSecretsRemove(const Arguments& arguments, Terminal& terminal);
int RunSecretsRevoke(const Arguments& arguments, Terminal& terminal);
// The one-time code of now.
int RunSecretsTotp(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kSecretNameOption = {"NAME", "NAME", "The name of the secret.",
                                                &Arguments::name};
inline constexpr OptionRow kSecretsAddOptions[] = {
    kSecretNameOption,
    {"--host", "HOST", "Where it may be used: example.com, *.example.com:8443. Repeatable.",
     &Arguments::secret_hosts},
    {"--type", "TYPE", "password (when not given), api_key, oauth_token, cookie, totp or custom.",
     &Arguments::secret_type},
    {"--field", "NAME", "Which field to set: password (when not given), username, totp, ...",
     &Arguments::secret_field},
    {"--agent", "AGENT", "Which agent may use it; every one when none is named. Repeatable.",
     &Arguments::secret_agents},
    {"--page", "PATH", "On which pages of its hosts: /login, /account/*. Repeatable.",
     &Arguments::secret_pages},
    {"--ephemeral", "", "It lives for five minutes.", &Arguments::is_ephemeral},
    {"--ttl", "TIME", "How long an ephemeral one lives, at most 15m.", &Arguments::lifetime},
    {"--single-use", "", "Each of its fields is typed once, and then forgotten.",
     &Arguments::is_single_use},
    {"--from", "OTHER", "Lend another secret of the vault under this name, for a time.",
     &Arguments::secret_from},
    {"--keyring", "", "Keep a new vault key in the desktop's keyring instead of a file.",
     &Arguments::uses_keyring},
};
inline constexpr OptionRow kSecretNameOptions[] = {kSecretNameOption};
inline constexpr std::string_view kSecretsNotes =
    "The value is read from standard input, up to the end of the first line; on a\n"
    "terminal it is not shown. With --from it is that of the other secret. The key is "
    "FALCONER_VAULT_KEY, the file\n"
    "FALCONER_VAULT_KEY_FILE, secrets.key in data.dir, or the keyring's.";

}  // namespace falconer::app
