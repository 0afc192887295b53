#include "policy/secrets/command_source.h"

#include <algorithm>

namespace falconer::policy {

Result<Secret> CommandSource::Find(std::string_view name) {
  const auto it = std::ranges::find(commands_, name, &SecretCommand::name);
  if (it == commands_.end()) {
    return Fail(ErrorCode::kNotFound, "no command gives the secret " + std::string(name));
  }
  TRY_ASSIGN(SecretText output, RunCommand(it->words, {}, limits_));
  output.Shrink(std::min(output.Reveal().find_first_of("\r\n"), output.size()));
  if (output.empty()) {
    return Fail(ErrorCode::kExecutionError, it->words[0] + ": printed nothing");
  }
  Secret secret{.name = it->name, .type = it->type, .hosts = it->hosts};
  secret.fields.push_back({it->field, std::move(output)});
  return secret;
}

Result<std::vector<SecretInfo>> CommandSource::List() {
  std::vector<SecretInfo> infos;
  for (const SecretCommand& command : commands_) {
    SecretInfo info{.name = command.name, .source = std::string(kind()), .type = command.type};
    for (const HostPattern& host : command.hosts) info.hosts.push_back(host.text());
    info.fields.push_back(command.field);
    infos.push_back(std::move(info));
  }
  return infos;
}

Result<std::vector<Secret>> CommandSource::Known() {
  return std::vector<Secret>();
}

}  // namespace falconer::policy
