#pragma once
// What a GraphQL document does, found without parsing all of it.

#include <string>
#include <string_view>
#include <vector>

#include "policy/risk/request_body.h"

namespace falconer::policy {

struct GraphQlFindings {
  GraphQlUse use = GraphQlUse::kUnknown;
  std::vector<std::string> names;  // operations and the fields right below them
};

// A document with several operations is a mutation when one of them is.
GraphQlFindings ScanGraphQl(std::string_view document);

}  // namespace falconer::policy
