#pragma once
// `falconer keys ...`: the keys that tokens are signed and checked with. One that runs sees a
// change within a second.

#include "app/token/token_commands.h"

namespace falconer::app {

int RunKeysList(const Arguments& arguments, Terminal& terminal);
int RunKeysRotate(const Arguments& arguments, Terminal& terminal);
int RunKeysSetPrimary(const Arguments& arguments, Terminal& terminal);
int RunKeysDeprecate(const Arguments& arguments, Terminal& terminal);
int RunKeysRemove(const Arguments& arguments, Terminal& terminal);
// The public key of another issuer, from a PEM file: its tokens are checked with it.
int RunKeysImport(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kKidOption = {"KID", "KID", "The key's name.", &Arguments::key_name};
inline constexpr OptionRow kGraceOption = {
    "--grace", "TIME",
    "How long the old key is still accepted; 168h when not given, 0s for at once.",
    &Arguments::grace};

inline constexpr OptionRow kKeysRotateOptions[] = {kAlgorithmOption, kGraceOption};
inline constexpr OptionRow kKeysKidOptions[] = {kKidOption};
inline constexpr OptionRow kKeysDeprecateOptions[] = {kKidOption, kGraceOption};
inline constexpr OptionRow kKeysImportOptions[] = {
    {"FILE", "FILE", "A public key in PEM form.", &Arguments::file},
    {"--kid", "NAME", "The name that its tokens have for it (kid); must be given.",
     &Arguments::key_name},
};

}  // namespace falconer::app
