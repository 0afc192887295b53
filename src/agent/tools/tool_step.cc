#include "agent/tools/tool_step.h"

#include "base/json/canonical_json.h"
#include "base/sha256.h"

namespace falconer::agent {
namespace {

constexpr std::size_t kArgsHashDigits = 12;

json::array ListOf(const std::vector<std::string>& texts) {
  json::array list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

}  // namespace

std::string ArgsHash(const json::object& arguments) {
  const auto canonical = CanonicalJson(arguments);
  // What has no canonical form still has a digest; only that of another writing differs.
  return Sha256Hex(canonical ? *canonical : json::serialize(arguments)).substr(0, kArgsHashDigits);
}

json::object ToolStep::ToJson() const {
  json::object object{{"run_id", run_id},
                      {"step_id", step_id},
                      {"tool_name", tool_name},
                      {"args_hash", args_hash},
                      {"duration_ms", duration.count()},
                      {"status", ok() ? "ok" : "error"},
                      {"error_code", nullptr},
                      {"artifacts", ListOf(artifacts)},
                      {"policy_flags", ListOf(policy_flags)},
                      {"mode", NameIn(kCallModes, mode)},
                      {"tries", tries}};
  if (!ok()) {
    object["error_code"] = error_code;
    object["error"] = error;
  }
  if (!render_mode.empty()) object["render_mode"] = render_mode;
  return object;
}

}  // namespace falconer::agent
