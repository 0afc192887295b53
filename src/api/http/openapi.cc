#include "api/http/openapi.h"

#include <string>

#include "api/http/body_schemas.h"
#include "base/text.h"
#include "model/contract/contract_schema.h"

namespace falconer::api {
namespace {

json::object Ref(std::string_view schema) {
  return {{"$ref", "#/components/schemas/" + std::string(schema)}};
}

json::object Content(std::string_view type, json::object schema) {
  return {{type, json::object{{"schema", std::move(schema)}}}};
}

// "{session}" and its like in the pattern.
json::array PathParameters(std::string_view pattern) {
  json::array parameters;
  for (std::size_t open = pattern.find('{'); open != std::string_view::npos;
       open = pattern.find('{', open + 1)) {
    const std::size_t close = pattern.find('}', open);
    parameters.push_back(json::object{{"name", pattern.substr(open + 1, close - open - 1)},
                                      {"in", "path"},
                                      {"required", true},
                                      {"schema", {{"type", "string"}}}});
  }
  return parameters;
}

json::array Parameters(const Route& route) {
  json::array parameters = PathParameters(route.pattern);
  for (const QueryRow& row : route.query) {
    parameters.push_back(json::object{{"name", row.name},
                                      {"in", "query"},
                                      {"description", row.about},
                                      {"schema", {{"type", row.type}}}});
  }
  return parameters;
}

json::array RoleNames(RoleSet roles) {
  json::array names;
  for (const EnumName<Role>& role : kRoles)
    if (roles.Contains(role.value)) names.emplace_back(role.name);
  return names;
}

json::object Responses(const Route& route) {
  const std::string_view type = route.media == kJsonMedia ? "object" : "string";
  json::object responses;
  if (route.method == "DELETE") {
    responses["204"] = {{"description", "done"}};
  } else {
    responses["200"] = {{"description", "the answer"},
                        {"content", Content(route.media, {{"type", type}})}};
  }
  responses["default"] = {{"description", "why not"},
                          {"content", Content("application/problem+json", Ref("Problem"))}};
  return responses;
}

// "get_v1_sessions_session_state".
std::string OperationId(const Route& route) {
  std::string id = ToLower(route.method);
  for (const char c : route.pattern) {
    if (c == '{' || c == '}') continue;
    id += c == '/' || c == '.' ? '_' : c;
  }
  return id;
}

json::object Operation(const Route& route) {
  json::object operation{{"operationId", OperationId(route)},
                         {"tags", {route.tag}},
                         {"summary", route.summary},
                         {"responses", Responses(route)}};
  if (auto parameters = Parameters(route); !parameters.empty())
    operation["parameters"] = std::move(parameters);
  if (!route.body.empty()) {
    operation["requestBody"] = {{"required", !route.is_body_optional},
                                {"content", Content(kJsonMedia, Ref(route.body))}};
  }
  if (route.door == Door::kOpen) {
    operation["security"] = json::array();
  } else {
    operation["x-falconer-roles"] = RoleNames(route.roles);
  }
  return operation;
}

json::object ProblemSchema() {
  return {{"type", "object"},
          {"required", {"type", "title", "status", "detail", "code", "retryable"}},
          {"properties",
           {{"type", {{"type", "string"}}},
            {"title", {{"type", "string"}}},
            {"status", {{"type", "integer"}}},
            {"detail", {{"type", "string"}}},
            {"code", {{"type", "string"}}},
            {"retryable", {{"type", "boolean"}}},
            {"retry_after_ms", {{"type", "integer"}}},
            {"denial_id", {{"type", "string"}}},
            {"details", {{"type", "object"}}}}}};
}

json::object DecisionSchema() {
  return {{"type", "object"},
          {"required", {"approved", "approver"}},
          {"additionalProperties", false},
          {"properties",
           {{"approved", {{"type", "boolean"}}},
            {"approver", {{"type", "string"}, {"minLength", 1}, {"maxLength", 128}}},
            {"reason", {{"type", "string"}, {"maxLength", 1000}}}}}};
}

json::object GrantSchema() {
  return {{"type", "object"},
          {"required", {"credits"}},
          {"additionalProperties", false},
          {"properties", {{"credits", {{"type", "integer"}, {"minimum", 1}}}}}};
}

json::object DriverChangeSchema() {
  return {{"type", "object"},
          {"required", {"person"}},
          {"additionalProperties", false},
          {"properties",
           {{"person", {{"type", "string"}, {"minLength", 1}, {"maxLength", 128}}},
            {"reason", {{"type", "string"}, {"maxLength", 1000}}}}}};
}

}  // namespace

json::object OpenApiDocument(const std::vector<Route>& routes, std::string_view version) {
  json::object paths;
  for (const Route& route : routes) {
    json::value& path = paths[route.pattern];
    if (!path.is_object()) path.emplace_object();
    path.get_object()[ToLower(route.method)] = Operation(route);
  }
  json::object schemas = BodySchemas();
  schemas["ActionContract"] = model::ContractSchema();
  schemas["TaskPlan"] = model::PlanSchema();
  schemas["Decision"] = DecisionSchema();
  schemas["Grant"] = GrantSchema();
  schemas["DriverChange"] = DriverChangeSchema();
  schemas["Problem"] = ProblemSchema();
  return {{"openapi", "3.1.0"},
          {"info", {{"title", "Falconer"}, {"version", version}}},
          {"security", {json::object{{"key", json::array()}}}},
          {"paths", std::move(paths)},
          {"components",
           {{"securitySchemes", {{"key", {{"type", "http"}, {"scheme", "bearer"}}}}},
            {"schemas", std::move(schemas)}}}};
}

}  // namespace falconer::api
