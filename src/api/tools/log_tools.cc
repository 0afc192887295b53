#include "api/tools/log_tools.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <utility>

#include "api/tools/input_schema.h"
#include "model/view/page_view.h"

namespace falconer::api {
namespace {

using model::ViewLine;
using model::Weight;

// The newest count.
constexpr std::size_t kMostLines = 100;
constexpr std::string_view kLevelNames[] = {"debug", "info", "warning", "error"};
// What a page is made of rather than what it does.
constexpr std::string_view kStaticTypes[] = {"Image", "Font", "Script", "Stylesheet", "Media"};

void KeepNewest(std::vector<ViewLine>& lines) {
  const std::size_t older = lines.size() - std::min(lines.size(), kMostLines);
  lines.erase(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(older));
}

struct RequestArguments {
  StaticFiles statics = StaticFiles::kDrop;
  std::optional<model::Pattern> filter;
  std::string session;
};

RequestArguments ReadRequests(JsonReader& in) {
  RequestArguments args;
  if (in.OptionalBool("static").value_or(false)) args.statics = StaticFiles::kTell;
  if (const auto text = in.OptionalString("filter", {1})) {
    auto pattern = model::Pattern::Compile(*text, model::PatternMode::kRegex);
    if (pattern) {
      args.filter = *std::move(pattern);
    } else {
      in.Reject("filter", pattern.error().message());
    }
  }
  args.session = ReadSession(in);
  return args;
}

Task<Result<ToolAnswer>> NetworkRequests(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, ReadRequests));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  engine::Look look(*rooms.runtime, rooms.caller);
  CO_TRY_ASSIGN(auto events,
                co_await look.Network(std::move(ctx), context->WorkflowOf(args.session), {}));
  for (model::NetworkEvent& event : events) event.url = context->guard().Clean(event.url);
  const auto lines = RequestLines(events, args.statics, args.filter);
  co_return LinesAnswer(lines.empty() ? "no requests" : "", lines);
}

struct ConsoleArguments {
  model::ConsoleLevel level = model::ConsoleLevel::kInfo;
  std::string session;
};

std::string ConsoleLine(const browser::ConsoleEntry& entry) {
  std::string line = fmt::format("{} {}", entry.level, model::Quoted(entry.message, 300));
  if (!entry.url.empty())
    line += fmt::format(" {}", model::Quoted(fmt::format("{}:{}", entry.url, entry.line), 160));
  return line;
}

Task<Result<ToolAnswer>> ConsoleMessages(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(
      const auto args, ReadArguments(call, [](JsonReader& in) {
        return ConsoleArguments{
            in.OptionalEnum("level", model::kConsoleLevels).value_or(model::ConsoleLevel::kInfo),
            ReadSession(in)};
      }));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  engine::Look look(*rooms.runtime, rooms.caller);
  CO_TRY_ASSIGN(auto entries,
                co_await look.Console(std::move(ctx), context->WorkflowOf(args.session), {}));
  for (browser::ConsoleEntry& entry : entries) {
    entry.message = context->guard().Clean(entry.message);
    entry.url = context->guard().Clean(entry.url);
  }
  std::vector<ViewLine> lines;
  for (const browser::ConsoleEntry& entry : entries) {
    const auto level = ValueIn(model::kConsoleLevels, entry.level);
    if (level.value_or(model::ConsoleLevel::kInfo) >= args.level)
      lines.push_back({Weight::kText, ConsoleLine(entry)});
  }
  KeepNewest(lines);
  co_return LinesAnswer(lines.empty() ? "no messages" : "", lines);
}

bool IsStatic(const model::NetworkEvent& event) {
  return std::ranges::find(kStaticTypes, event.resource_type) != std::end(kStaticTypes) &&
         !event.is_failure();
}

std::string RequestText(const model::NetworkEvent& event) {
  std::string line = fmt::format("{} {}", event.method, model::Quoted(event.url, 200));
  if (event.status != 0) line += fmt::format(" {}", event.status);
  if (!event.error_signature.empty())
    line += " " + model::Quoted(event.error_signature, model::kMaxSignature);
  if (event.latency) line += fmt::format(" {} ms", event.latency->count());
  return line;
}

}  // namespace

std::vector<ViewLine> RequestLines(const std::vector<model::NetworkEvent>& events,
                                   StaticFiles statics,
                                   const std::optional<model::Pattern>& filter) {
  // The newest event of a request says most about it; its place is that of the first.
  std::vector<const model::NetworkEvent*> requests;
  std::map<std::string_view, std::size_t> places;
  for (const model::NetworkEvent& event : events) {
    const auto [place, is_new] = places.try_emplace(event.request_id, requests.size());
    if (is_new) {
      requests.push_back(&event);
    } else {
      requests[place->second] = &event;
    }
  }
  std::vector<ViewLine> lines;
  for (const model::NetworkEvent* request : requests) {
    if (statics == StaticFiles::kDrop && IsStatic(*request)) continue;
    if (filter && !filter->Matches(request->url)) continue;
    lines.push_back({Weight::kText, RequestText(*request)});
  }
  KeepNewest(lines);
  return lines;
}

std::vector<ToolRow> LogTools() {
  using enum agent::SideEffect;
  return {
      {{"browser_network_requests", "Requests", "What the page asked the network for.", kCoreGroup,
        kRead,
        InputSchema({{"filter", TextSchema("regular expression")}, {"static", FlagSchema()}})},
       NetworkRequests,
       Looking(model::Capability::kRead)},
      {{"browser_console_messages", "Console", "What the page said to the console.", kCoreGroup,
        kRead, InputSchema({{"level", ChoiceSchema(kLevelNames)}})},
       ConsoleMessages,
       Looking(model::Capability::kRead)},
  };
}

}  // namespace falconer::api
