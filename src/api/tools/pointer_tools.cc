#include "api/tools/pointer_tools.h"

#include <utility>

#include "api/tools/input_schema.h"

namespace falconer::api {
namespace {

using enum Need;

constexpr std::string_view kButtonNames[] = {"left", "right", "middle"};

// Models that know other servers say it this way; on the machines we run on it is Control.
constexpr std::string_view kControlOrMeta = "ControlOrMeta";

struct ClickArguments {
  TargetArgument target;
  bool is_double = false;
  std::optional<model::MouseButton> button;
  json::array modifiers;
  std::string session;
};

ClickArguments ReadClick(JsonReader& in) {
  ClickArguments args{.target = ReadNeededTarget(in),
                      .is_double = in.OptionalBool("doubleClick").value_or(false),
                      .button = in.OptionalEnum("button", model::kMouseButtons)};
  for (const std::string& name :
       in.OptionalStrings("modifiers", {0, 4}).value_or(std::vector<std::string>())) {
    args.modifiers.emplace_back(name == kControlOrMeta ? std::string_view("Control") : name);
  }
  args.session = ReadSession(in);
  return args;
}

Task<Result<ToolAnswer>> Click(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(auto args, ReadArguments(call, ReadClick));
  json::object spec = std::move(args.target.fields);
  spec["action_type"] = args.is_double ? "double_click" : "click";
  if (args.button) spec["button"] = NameIn(model::kMouseButtons, *args.button);
  if (!args.modifiers.empty()) spec["modifiers"] = std::move(args.modifiers);
  ActionWish wish{.session = args.session,
                  .spec = std::move(spec),
                  .intent = std::move(args.target.description)};
  co_return co_await context->ActAndTell(std::move(ctx), std::move(wish), {});
}

struct HoverArguments {
  TargetArgument target;
  std::string session;
};

Task<Result<ToolAnswer>> Hover(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(auto args, ReadArguments(call, [](JsonReader& in) {
                  return HoverArguments{ReadNeededTarget(in), ReadSession(in)};
                }));
  json::object spec = std::move(args.target.fields);
  spec["action_type"] = "hover";
  ActionWish wish{.session = args.session,
                  .spec = std::move(spec),
                  .intent = std::move(args.target.description)};
  co_return co_await context->ActAndTell(std::move(ctx), std::move(wish), {});
}

struct DragArguments {
  TargetArgument from;
  TargetArgument to;
  std::string session;
};

DragArguments ReadDrag(JsonReader& in) {
  DragArguments args{.from = ReadNamedTarget(in, {.name = "startTarget", .older = "startRef"}),
                     .to = ReadNamedTarget(in, {.name = "endTarget", .older = "endRef"})};
  args.from.description = in.OptionalString("startElement").value_or("");
  args.to.description = in.OptionalString("endElement").value_or("");
  args.session = ReadSession(in);
  return args;
}

Task<Result<ToolAnswer>> Drag(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(auto args, ReadArguments(call, ReadDrag));
  json::object spec = std::move(args.from.fields);
  spec["action_type"] = "drag";
  spec["drag_to"] = TargetObject(args.to);
  ActionWish wish{
      .session = args.session, .spec = std::move(spec), .intent = std::move(args.from.description)};
  co_return co_await context->ActAndTell(std::move(ctx), std::move(wish), {});
}

}  // namespace

std::vector<ToolRow> PointerTools() {
  using enum agent::SideEffect;
  constexpr auto kInteract = model::Capability::kInteract;
  return {
      {{"browser_click", "Click", "Click an element.", kCoreGroup, kWrite,
        InputSchema({{"target", TextSchema(kTargetHelp), kRequired},
                     {"doubleClick", FlagSchema()},
                     {"button", ChoiceSchema(kButtonNames)},
                     {"modifiers", TextsSchema()}})},
       Click,
       Acting(kInteract)},
      {{"browser_hover", "Hover", "Move the mouse over an element.", kCoreGroup, kWrite,
        InputSchema({{"target", TextSchema(), kRequired}})},
       Hover,
       Acting(kInteract)},
      {{"browser_drag", "Drag", "Drag one element onto another.", kCoreGroup, kWrite,
        InputSchema(
            {{"startTarget", TextSchema(), kRequired}, {"endTarget", TextSchema(), kRequired}})},
       Drag,
       Acting(kInteract)},
  };
}

}  // namespace falconer::api
