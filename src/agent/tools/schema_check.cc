#include "agent/tools/schema_check.h"

#include <fmt/format.h>
#include <utility>

#include "agent/tools/schema_keywords.h"

namespace falconer::agent {
namespace {

// Schemas of others are read, too: one that nests deeper is not worth it.
constexpr int kDeepestSchema = 64;

Result<void> CheckSchemaAt(const json::value& schema, const std::string& path, int depth);

Result<void> CheckInner(const KeywordRow& row, const json::value& operand, const std::string& path,
                        int depth) {
  if (row.inner == Subschemas::kOne) return CheckSchemaAt(operand, path, depth);
  if (row.inner == Subschemas::kList) {
    for (std::size_t i = 0; i < operand.get_array().size(); ++i)
      TRY(CheckSchemaAt(operand.get_array()[i], fmt::format("{}[{}]", path, i), depth));
  }
  if (row.inner == Subschemas::kMap) {
    for (const auto& [name, inner] : operand.get_object())
      TRY(CheckSchemaAt(inner, path + "." + std::string(name), depth));
  }
  return {};
}

Result<void> CheckSchemaAt(const json::value& schema, const std::string& path, int depth) {
  if (schema.is_bool()) return {};
  if (!schema.is_object() || depth > kDeepestSchema)
    return Fail(ErrorCode::kValidationError, path + ": is no schema, or nests too deeply");
  for (const auto& [name, operand] : schema.get_object()) {
    const std::string at = path + "." + std::string(name);
    const KeywordRow* row = KeywordNamed(name);
    if (row == nullptr)
      return Fail(ErrorCode::kValidationError, at + ": this keyword is not understood");
    if (!row->is_well_formed(operand))
      return Fail(ErrorCode::kValidationError, at + ": is not what this keyword takes");
    TRY(CheckInner(*row, operand, at, depth + 1));
  }
  return {};
}

}  // namespace

Result<void> CheckSchema(const json::object& schema, SchemaStrictness strictness) {
  if (strictness == SchemaStrictness::kLetThrough) return {};
  return CheckSchemaAt(json::value(schema), "schema", 0);
}

Result<void> CheckArguments(const json::object& schema, const json::object& arguments) {
  const auto wrong = CheckValue(json::value(schema), json::value(arguments), "");
  if (!wrong) return {};
  const std::string path = wrong->path.empty() ? std::string("arguments") : wrong->path;
  return Fail(Error(ErrorCode::kValidationError, path + ": " + wrong->what, {{"field", path}}));
}

}  // namespace falconer::agent
