#pragma once
// JSON Schema (2020-12) of what callers send and get, made from the tables that read it: action
// types and their fields, rule types, wait kinds, names and bounds. A few rules are beyond a schema
// (whether a pattern compiles, whether a selector is too broad, cycles in a plan); what it accepts
// the reader may still refuse. What the reader accepts in the form ToJson writes, it accepts.

#include "base/json/json.h"

namespace falconer::model {

json::object ContractSchema();
json::object PlanSchema();
json::object ResultSchema();
// What a plan is answered with.
json::object PlanResultSchema();

}  // namespace falconer::model
