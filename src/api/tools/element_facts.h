#pragma once
// What kind of element a target is, for tools that do different things to different kinds.

#include <string>

#include "api/tools/tool_context.h"

namespace falconer::api {

enum class FieldKind : std::uint8_t { kText, kToggle, kList };

struct ElementFacts {
  std::string ref;  // "" when the element was not there to be looked at
  FieldKind kind = FieldKind::kText;
  std::vector<std::string> options;  // labels, as far as they were seen
};

// What a role and a tag make of an element.
FieldKind KindOf(std::string_view role, std::string_view tag);

// Looks at what is known of the page, and else at the page. An element that is not there (yet) is
// taken for a text field: whoever acts on it waits for it. Fails as engine::Look does.
Task<Result<ElementFacts>> LookUp(CallContext ctx, ToolContext* context, std::string session,
                                  TargetArgument target);

}  // namespace falconer::api
