#include "api/tools/navigation_tools.h"

#include <fmt/format.h>
#include <utility>

#include "api/tools/input_schema.h"
#include "base/text.h"
#include "model/view/page_view.h"

namespace falconer::api {
namespace {

using enum Need;

// A page may take its time; a client waits for a minute.
json::object NavigationTime() {
  return {{"total_ms", 45'000}, {"execute_ms", 30'000}};
}

constexpr auto kPageTime = std::chrono::seconds(55);

struct NavigateArguments {
  std::string url;
  std::string session;
};

Task<Result<ToolAnswer>> Navigate(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, [](JsonReader& in) {
                  return NavigateArguments{in.String("url", {1}), ReadSession(in)};
                }));
  ActionWish wish{.session = args.session,
                  .spec = {{"action_type", "navigate"}, {"url", CompleteUrl(args.url)}},
                  .timeouts = NavigationTime()};
  co_return co_await context->ActAndTell(std::move(ctx), std::move(wish), {});
}

Task<Result<ToolAnswer>> NavigateBack(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const std::string session, ReadArguments(call, ReadSession));
  ActionWish wish{
      .session = session, .spec = {{"action_type", "go_back"}}, .timeouts = NavigationTime()};
  co_return co_await context->ActAndTell(std::move(ctx), std::move(wish), {});
}

enum class TabAction : std::uint8_t { kList, kNew, kClose, kSelect };

constexpr EnumName<TabAction> kTabActions[] = {
    {TabAction::kList, "list"},
    {TabAction::kNew, "new"},
    {TabAction::kClose, "close"},
    {TabAction::kSelect, "select"},
};
constexpr std::string_view kTabActionNames[] = {"list", "new", "close", "select"};

struct TabArguments {
  TabAction action = TabAction::kList;
  std::optional<std::int64_t> index;
  std::string tab;
  std::string url;
  std::string session;
};

TabArguments ReadTabs(JsonReader& in) {
  TabArguments args{.action = in.Enum("action", kTabActions),
                    .index = in.OptionalInteger("index", {0, 1000}),
                    .tab = in.OptionalString("tab").value_or(""),
                    .url = in.OptionalString("url").value_or(""),
                    .session = ReadSession(in)};
  const bool is_named = args.index || !args.tab.empty();
  if (args.index && !args.tab.empty()) in.Reject("index", "is given together with tab");
  if (args.action == TabAction::kSelect && !is_named && !in.failed())
    in.Reject("tab", "is required to select one");
  if (!args.url.empty() && args.action != TabAction::kNew) in.Reject("url", "is only for new");
  return args;
}

ToolAnswer TabList(std::vector<browser::TabInfo> tabs, ViewGuard& guard) {
  std::vector<model::ViewLine> lines;
  for (browser::TabInfo& tab : tabs) {
    tab.title = guard.Clean(tab.title);
    tab.url = guard.Clean(tab.url);
    lines.push_back({model::Weight::kIdentity,
                     fmt::format("tab {}{} {} {}", tab.id.value(), tab.is_active ? "*" : "",
                                 model::Quoted(tab.title, 60), model::Quoted(tab.url, 160))});
  }
  return LinesAnswer("", lines);
}

// The id of the tab that is meant; "" for the active one.
Result<std::string> TabIdOf(const TabArguments& args, const std::vector<browser::TabInfo>& tabs) {
  if (!args.index) return args.tab;
  const auto at = static_cast<std::size_t>(*args.index);
  if (at >= tabs.size())
    return Fail(ErrorCode::kNotFound, fmt::format("index: there are {} tabs", tabs.size()));
  return tabs[at].id.value();
}

json::object TabSpec(const TabArguments& args, const std::string& id) {
  switch (args.action) {
    case TabAction::kNew: {
      json::object spec{{"action_type", "new_tab"}};
      if (!args.url.empty()) spec["url"] = CompleteUrl(args.url);
      return spec;
    }
    case TabAction::kSelect:
      return {{"action_type", "switch_tab"}, {"tab_id", id}};
    case TabAction::kClose:
    case TabAction::kList:
      break;
  }
  json::object spec{{"action_type", "close_tab"}};
  if (!id.empty()) spec["tab_id"] = id;
  return spec;
}

Task<Result<ToolAnswer>> Tabs(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, ReadTabs));
  std::vector<browser::TabInfo> tabs;
  if (args.action == TabAction::kList || args.index) {
    CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
    engine::Look look(*rooms.runtime, rooms.caller);
    CO_TRY_ASSIGN(tabs, co_await look.Tabs(ctx, context->WorkflowOf(args.session)));
  }
  if (args.action == TabAction::kList) co_return TabList(std::move(tabs), context->guard());
  CO_TRY_ASSIGN(const std::string id, TabIdOf(args, tabs));
  ActionWish wish{.session = args.session, .spec = TabSpec(args, id)};
  if (!args.url.empty()) wish.timeouts = NavigationTime();
  co_return co_await context->ActAndTell(std::move(ctx), std::move(wish), {});
}

struct ResizeArguments {
  std::int64_t width = 0;
  std::int64_t height = 0;
  std::string session;
};

Task<Result<ToolAnswer>> Resize(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, [](JsonReader& in) {
                  return ResizeArguments{in.Integer("width", model::kViewportSizes),
                                         in.Integer("height", model::kViewportSizes),
                                         ReadSession(in)};
                }));
  ActionWish wish{.session = args.session,
                  .spec = {{"action_type", "set_viewport"},
                           {"viewport", {{"width", args.width}, {"height", args.height}}}}};
  co_return co_await context->ActAndTell(std::move(ctx), std::move(wish), {});
}

Task<Result<ToolAnswer>> Close(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const std::string session, ReadArguments(call, ReadSession));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const browser::SessionKey key = context->KeyOf(rooms, session);
  CO_TRY(rooms.runtime->CheckNotTaken(key));
  co_await rooms.runtime->Close(std::move(ctx), key);
  context->memory().Forget(session);
  co_return ToolAnswer{.text = "ok"};
}

}  // namespace

std::string CompleteUrl(const std::string& url) {
  const std::size_t colon = url.find_first_of(":/?#");
  const bool has_scheme = colon != std::string::npos && url[colon] == ':' &&
                          colon + 1 < url.size() && !IsDigit(url[colon + 1]);
  if (has_scheme) return url;
  const std::string host = ToLower(url.substr(0, colon));
  const bool is_here = host == "localhost" || host.starts_with("127.");
  return (is_here ? "http://" : "https://") + url;
}

std::vector<ToolRow> NavigationTools() {
  using enum agent::SideEffect;
  constexpr auto kNavigate = model::Capability::kNavigate;
  return {
      {{"browser_navigate", "Go to an address", "Go to a URL and read the page.", kCoreGroup,
        kWrite, InputSchema({{"url", TextSchema(), kRequired}})},
       Navigate,
       Acting(kNavigate, kPageTime)},
      {{"browser_navigate_back", "Go back", "Go back in the history.", kCoreGroup, kWrite,
        InputSchema({})},
       NavigateBack,
       Acting(kNavigate, kPageTime)},
      {{"browser_tabs", "Tabs", "List, open, close or select tabs.", kCoreGroup, kWrite,
        InputSchema({{"action", ChoiceSchema(kTabActionNames), kRequired},
                     {"index", WholeSchema()},
                     {"tab", TextSchema("such as t2")},
                     {"url", TextSchema()}})},
       Tabs,
       Acting(std::nullopt, kPageTime)},
      {{"browser_resize", "Resize", "Set the size of the viewport.", kCoreGroup, kWrite,
        InputSchema({{"width", WholeSchema(), kRequired}, {"height", WholeSchema(), kRequired}})},
       Resize,
       Acting(model::Capability::kRead)},
      {{"browser_close", "Close", "Close the session and its tabs.", kCoreGroup, kDestroy,
        InputSchema({})},
       Close,
       Acting(std::nullopt)},
  };
}

}  // namespace falconer::api
