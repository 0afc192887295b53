#include "policy/secrets/secret_reference.h"

#include "base/json/json_reader.h"
#include "model/action/action.h"

namespace falconer::policy {

Result<void> CheckSecretName(std::string_view what, std::string_view name) {
  if (model::IsSecretName(name)) return {};
  return Fail(ErrorCode::kInvalidArgument,
              std::string(what) + ": expected 1 to 128 letters, digits, \"_\", \"-\" or \".\"");
}

Result<SecretReference> ParseSecretReference(const json::value& value) {
  const auto read = [](JsonReader& in) {
    return SecretReference{.name = in.String("secret"),
                           .field = in.OptionalString("field").value_or("")};
  };
  TRY_ASSIGN(SecretReference reference, ReadJson(value, "", read));
  TRY(CheckSecretName("secret", reference.name));
  if (!reference.field.empty()) TRY(CheckSecretName("field", reference.field));
  return reference;
}

json::object ToJson(const SecretReference& reference) {
  json::object out{{"secret", reference.name}};
  if (!reference.field.empty()) out["field"] = reference.field;
  return out;
}

}  // namespace falconer::policy
