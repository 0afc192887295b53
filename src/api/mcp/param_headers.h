#pragma once
// Arguments of tools that headers repeat, for those who route requests without reading them: the
// schema of a tool marks such an argument by "x-mcp-header": "Region", and a call then carries
// Mcp-Param-Region.

#include <optional>

#include "api/mcp/json_rpc.h"
#include "net/http_message.h"

namespace falconer::api {

// What is wrong with them: a header must say what its argument says, and be there when that is.
// Marked are properties, and properties of those; texts, numbers and booleans.
std::optional<RpcFailure> CheckParamHeaders(const net::HttpHeaders& headers,
                                            const json::object& schema,
                                            const json::value& arguments);

}  // namespace falconer::api
