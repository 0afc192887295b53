#include "api/tools/element_facts.h"

#include <algorithm>
#include <utility>

namespace falconer::api {
namespace {

constexpr auto kLookTime = std::chrono::seconds(5);

constexpr std::string_view kToggleRoles[] = {"checkbox", "radio", "switch", "menuitemcheckbox",
                                             "menuitemradio"};

ElementFacts FactsOf(const model::ElementState& element) {
  ElementFacts facts{.ref = element.ref, .kind = KindOf(element.role, element.tag)};
  for (const model::OptionState& option : element.options) facts.options.push_back(option.label);
  return facts;
}

const model::ElementState* Find(const model::StructuredState* state, const std::string& ref) {
  if (state == nullptr || ref.empty()) return nullptr;
  const auto found = std::ranges::find(state->elements, ref, &model::ElementState::ref);
  return found == state->elements.end() ? nullptr : &*found;
}

// What the page itself says; empty when it says nothing.
Task<Result<json::object>> Described(CallContext ctx, engine::Look* look, WorkflowId workflow,
                                     json::object fields) {
  JsonReader reader(fields);
  model::Target target = model::ReadTarget(reader, model::kFlatTargetKeys);
  if (!reader.Done()) co_return json::object();
  co_return co_await look->Describe(std::move(ctx), std::move(workflow), std::move(target));
}

}  // namespace

FieldKind KindOf(std::string_view role, std::string_view tag) {
  if (tag == "select") return FieldKind::kList;
  return std::ranges::find(kToggleRoles, role) != std::end(kToggleRoles) ? FieldKind::kToggle
                                                                         : FieldKind::kText;
}

Task<Result<ElementFacts>> LookUp(CallContext ctx, ToolContext* context, std::string session,
                                  TargetArgument target) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  engine::Look look(*rooms.runtime, rooms.caller);
  const WorkflowId workflow = context->WorkflowOf(session);
  CO_TRY_ASSIGN(const auto seen, co_await look.Last(ctx, workflow));
  if (const auto* element = Find(seen ? &*seen : nullptr, target.ref)) co_return FactsOf(*element);
  CO_TRY_ASSIGN(
      const json::object described,
      co_await Described(ctx.WithTimeout(kLookTime), &look, workflow, std::move(target.fields)));
  ElementFacts facts{.ref = TextAt(described, "ref"),
                     .kind = KindOf(TextAt(described, "role"), TextAt(described, "tag"))};
  if (facts.kind != FieldKind::kList) co_return facts;
  // A list that is not in sight: its options are told with the rest of the page.
  const auto page =
      co_await look.State(std::move(ctx), workflow, {.scope = model::StateScope::kPage});
  const auto* element = page ? Find(&*page, facts.ref) : nullptr;
  co_return element != nullptr ? FactsOf(*element) : facts;
}

}  // namespace falconer::api
