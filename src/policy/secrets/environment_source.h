#pragma once
// EnvironmentSource: FALCONER_SECRET_<NAME>=value, for hosts named in
// FALCONER_SECRET_<NAME>_HOSTS=shop.example.com,*.pay.example.com. A secret NAME is asked for in
// capitals, with "-" and "." as "_". Without hosts it can be used nowhere.

#include <string>
#include <string_view>
#include <vector>

#include "policy/secrets/secret_source.h"

namespace falconer::policy {

class EnvironmentSource final : public SecretSource {
 public:
  // Takes what concerns secrets out of "NAME=value" lines. kInvalidSetting for hosts that are none.
  static Result<EnvironmentSource> Create(const std::vector<std::string>& environment);

  std::string_view kind() const override { return "environment"; }
  Result<Secret> Find(std::string_view name) override;
  Result<std::vector<SecretInfo>> List() override;
  Result<std::vector<Secret>> Known() override;

 private:
  EnvironmentSource() = default;
  std::vector<Secret> secrets_;
};

}  // namespace falconer::policy
