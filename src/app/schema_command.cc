#include "app/schema_command.h"

#include "model/contract/contract_schema.h"

namespace falconer::app {
namespace {

int PrintSchema(Terminal& terminal, const json::object& schema) {
  PrintJson(terminal, schema);
  return kExitOk;
}

}  // namespace

int RunSchemaContract(const Arguments&, Terminal& terminal) {
  return PrintSchema(terminal, model::ContractSchema());
}

int RunSchemaPlan(const Arguments&, Terminal& terminal) {
  return PrintSchema(terminal, model::PlanSchema());
}

int RunSchemaResult(const Arguments&, Terminal& terminal) {
  return PrintSchema(terminal, model::ResultSchema());
}

int RunSchemaPlanResult(const Arguments&, Terminal& terminal) {
  return PrintSchema(terminal, model::PlanResultSchema());
}

}  // namespace falconer::app
