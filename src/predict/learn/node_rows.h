#pragma once
// What one node counted, as JSON for another one: {"node","rows":[[context,next,by_person,by_agent,
// day],...]}, contexts and symbols in hex. Nothing in it says what was done, only how often.

#include <string>
#include <vector>

#include "base/json/json.h"
#include "store/prediction_store.h"

namespace falconer::predict {

struct NodeRows {
  std::string node;
  std::vector<store::ContextRow> rows;
};

inline constexpr std::size_t kMaxNodeRows = 2'000'000;

json::object ToJson(const NodeRows& node);
// Strict. kInvalidArgument naming what is wrong.
Result<NodeRows> ReadNodeRows(const json::value& value);

}  // namespace falconer::predict
