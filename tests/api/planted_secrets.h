#pragma once
// Two hundred secrets of every kind, in every source: a vault, the environment, commands.

#include <filesystem>
#include <string>
#include <vector>

#include "base/json/json.h"

namespace falconer::test {

struct PlantedSecret {
  enum class Source { kVault, kEnvironment, kCommand };

  std::string name;
  std::string field;  // of those in the vault
  std::string value;
  std::string kind;  // of value
  Source source = Source::kVault;
  std::filesystem::path file;  // that the command prints

  std::string Name() const { return field.empty() ? name : name + "." + field; }
  json::object Reference() const;
};

// Makes them, all for 127.0.0.1: a vault with its key in `data`, files for commands in `commands`.
std::vector<PlantedSecret> PlantSecrets(const std::filesystem::path& data,
                                        const std::filesystem::path& commands);
// FALCONER_SECRET_* lines.
std::vector<std::string> EnvironmentOf(const std::vector<PlantedSecret>& secrets);
// The setting secrets.commands, as JSON.
std::string CommandSetting(const std::vector<PlantedSecret>& secrets);

// As text of a JSON string, without its quotes.
std::string InJson(std::string_view value);
// The forms a value may turn up in: as it is, in JSON, percent-encoded, in base64 at any place, in
// hex, in UTF-16 of either order.
std::vector<std::string> FormsOf(std::string_view value);

}  // namespace falconer::test
