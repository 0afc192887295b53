#include "model/action/wait_outcome.h"

namespace falconer::model {

json::object WaitOutcome::ToJson() const {
  json::object out{
      {"kind", WaitKindName(kind)}, {"satisfied", satisfied}, {"waited_ms", waited.count()}};
  if (!observed.is_null()) out["observed"] = observed;
  if (error) out["error"] = error->ToJson();
  if (children.empty()) return out;
  json::array& list = out["children"].emplace_array();
  for (const WaitOutcome& child : children) list.emplace_back(child.ToJson());
  return out;
}

}  // namespace falconer::model
