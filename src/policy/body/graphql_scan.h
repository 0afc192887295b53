#pragma once
// What a GraphQL document does, found without parsing all of it. Its tokens are read exactly as
// servers read them: whoever could end a comment or a string elsewhere could hide a mutation.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace falconer::policy {

// In the order in which they count: of several documents, the last of these.
enum class GraphQlUse : std::uint8_t { kNone, kQuery, kUnknown, kMutation };

struct GraphQlFindings {
  // kQuery only when every operation of a well-formed document is a query or a subscription.
  GraphQlUse use = GraphQlUse::kUnknown;
  // Operations and the fields right below them. Those of fragments too where there is a mutation.
  std::vector<std::string> names;
  bool is_cut = false;  // there are more names than are kept
};

// A document with several operations is a mutation when one of them is.
GraphQlFindings ScanGraphQl(std::string_view document);

}  // namespace falconer::policy
