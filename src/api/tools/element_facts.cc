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
Task<json::object> Described(CallContext ctx, engine::DriveKit* kit, json::object fields) {
  JsonReader reader(fields);
  const model::Target target = model::ReadTarget(reader, model::kFlatTargetKeys);
  const auto tab = kit->driver.navigator().TabFor(TabId());
  if (!reader.Done() || !tab) co_return json::object();
  const auto bound = co_await kit->driver.navigator().Bind(ctx, *tab, target);
  if (!bound) co_return json::object();
  const auto found = co_await kit->driver.navigator().Query(std::move(ctx), *bound, 1);
  if (!found) co_return json::object();
  const json::value* elements = found->if_contains("elements");
  const bool has_one = elements != nullptr && elements->is_array() &&
                       !elements->get_array().empty() && elements->get_array()[0].is_object();
  co_return has_one ? elements->get_array()[0].get_object() : json::object();
}

}  // namespace

FieldKind KindOf(std::string_view role, std::string_view tag) {
  if (tag == "select") return FieldKind::kList;
  return std::ranges::find(kToggleRoles, role) != std::end(kToggleRoles) ? FieldKind::kToggle
                                                                         : FieldKind::kText;
}

Task<Result<ElementFacts>> LookUp(CallContext ctx, ToolContext* context, std::string session,
                                  TargetArgument target) {
  CO_TRY_ASSIGN(const auto seen, co_await context->LastSeen(ctx, session));
  if (const auto* element = Find(seen.state, target.ref)) co_return FactsOf(*element);
  CO_TRY_ASSIGN(const auto kit, co_await context->KitOf(ctx, session));
  const json::object described =
      co_await Described(ctx.WithTimeout(kLookTime), kit.get(), std::move(target.fields));
  ElementFacts facts{.ref = TextAt(described, "ref"),
                     .kind = KindOf(TextAt(described, "role"), TextAt(described, "tag"))};
  if (facts.kind != FieldKind::kList) co_return facts;
  // A list that is not in sight: its options are told with the rest of the page.
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  engine::Look look(*rooms.runtime);
  const auto page = co_await look.State(std::move(ctx), context->KeyOf(rooms, session),
                                        {.scope = model::StateScope::kPage});
  const auto* element = page ? Find(&*page, facts.ref) : nullptr;
  co_return element != nullptr ? FactsOf(*element) : facts;
}

}  // namespace falconer::api
