#include "app/secrets/secret_sources.h"

#include <optional>
#include <utility>

#include "policy/secrets/environment_source.h"
#include "policy/secrets/secret_reference.h"

namespace falconer::app {
namespace {

using policy::Secret;
using policy::SecretInfo;

// The vault of the data folder, which may not be there yet.
class VaultSource final : public policy::SecretSource {
 public:
  explicit VaultSource(policy::VaultHome home) : home_(std::move(home)) {}

  std::string_view kind() const override { return "vault"; }
  Result<Secret> Find(std::string_view name) override {
    TRY_ASSIGN(policy::VaultFile * vault, Open());
    if (vault != nullptr) return vault->Find(name);
    return Fail(ErrorCode::kNotFound, "there is no vault yet");
  }
  Result<std::vector<SecretInfo>> List() override {
    TRY_ASSIGN(policy::VaultFile * vault, Open());
    return vault == nullptr ? std::vector<SecretInfo>() : vault->List();
  }
  Result<std::vector<Secret>> Known() override {
    TRY_ASSIGN(policy::VaultFile * vault, Open());
    return vault == nullptr ? std::vector<Secret>() : vault->Known();
  }
  Result<policy::SecretText> Take(std::string_view name, std::string_view field,
                                  const Check& check) override {
    TRY_ASSIGN(policy::VaultFile * vault, Open());
    if (vault != nullptr) return vault->Take(name, field, check);
    return Fail(ErrorCode::kNotFound, "there is no vault yet");
  }

 private:
  // Null while there is none.
  Result<policy::VaultFile*> Open() {
    if (vault_) return &*vault_;
    if (!std::filesystem::exists(home_.vault())) return nullptr;
    TRY_ASSIGN(policy::VaultFile vault, policy::OpenVault(home_));
    vault_.emplace(std::move(vault));
    return &*vault_;
  }

  policy::VaultHome home_;
  std::optional<policy::VaultFile> vault_;
};

std::vector<std::string> SplitAt(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    if (end > 0) parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

std::unexpected<Error> BadCommand(std::string_view text, std::string_view why) {
  return Fail(ErrorCode::kInvalidSetting,
              "secrets.commands: \"" + std::string(text) + "\": " + std::string(why));
}

}  // namespace

policy::VaultHome VaultHomeFrom(const Settings& settings, std::vector<std::string> environment) {
  return {.data_folder = settings.data.dir,
          .environment = std::move(environment),
          .file = settings.secrets.vault};
}

Result<policy::SecretCommand> ParseSecretCommand(std::string_view text) {
  std::vector<std::string> words = SplitAt(text, ' ');
  constexpr std::size_t kLeastWords = 3;
  if (words.size() < kLeastWords) return BadCommand(text, "expected a name, hosts and a program");
  policy::SecretCommand command;
  const std::size_t colon = words[0].find(':');
  command.name = words[0].substr(0, colon);
  if (colon != std::string::npos) command.field = words[0].substr(colon + 1);
  for (const std::string& name : {command.name, command.field}) {
    const auto is_name = policy::CheckSecretName("the name", name);
    if (!is_name) return BadCommand(text, is_name.error().message());
  }
  auto hosts = policy::ParseHostPatterns(SplitAt(words[1], '|'));
  if (!hosts) return BadCommand(text, hosts.error().message());
  command.hosts = *std::move(hosts);
  command.words.assign(words.begin() + 2, words.end());
  return command;
}

Result<std::vector<std::unique_ptr<policy::SecretSource>>> SecretSourcesFrom(
    const Settings& settings, const std::vector<std::string>& environment) {
  std::vector<policy::SecretCommand> commands;
  for (const std::string& text : settings.secrets.commands) {
    TRY_ASSIGN(policy::SecretCommand command, ParseSecretCommand(text));
    commands.push_back(std::move(command));
  }
  TRY_ASSIGN(auto variables, policy::EnvironmentSource::Create(environment));
  std::vector<std::unique_ptr<policy::SecretSource>> sources;
  sources.push_back(std::make_unique<VaultSource>(VaultHomeFrom(settings, environment)));
  sources.push_back(std::make_unique<policy::EnvironmentSource>(std::move(variables)));
  sources.push_back(std::make_unique<policy::CommandSource>(std::move(commands)));
  return sources;
}

}  // namespace falconer::app
