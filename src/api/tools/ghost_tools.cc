#include "api/tools/ghost_tools.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "api/tools/artifact_link.h"
#include "api/tools/ghost_call.h"
#include "api/tools/input_schema.h"
#include "api/tools/navigation_tools.h"

namespace falconer::api {
namespace {

constexpr Bounds<std::size_t> kGhostPrompts = {0, 2000};
// With their boxes, most that an answer has.
constexpr std::size_t kMostGhostWords = 1000;
constexpr auto kGhostTime = std::chrono::seconds(45);

struct GhostArguments {
  std::string url;
  std::string prompt;
  bool is_viewport_only = false;
  bool has_words = false;
  std::string session;
};

GhostArguments ReadGhostArguments(JsonReader& in) {
  return {.url = in.OptionalString("url").value_or(""),
          .prompt = in.OptionalString("prompt", kGhostPrompts).value_or(""),
          .is_viewport_only = in.OptionalBool("viewport_only").value_or(false),
          .has_words = in.OptionalBool("words").value_or(false),
          .session = ReadSession(in)};
}

json::object GhostJson(const agent::GhostResult& result, bool has_words) {
  json::object out = result.ToJson();
  if (!has_words) return out;
  json::array& words = out["words"].emplace_array();
  const std::size_t count = std::min(result.words.size(), kMostGhostWords);
  for (std::size_t i = 0; i < count; ++i) words.push_back(agent::ToJson(result.words[i]));
  return out;
}

// How it was read, or why not, in the first line; the page behind it.
ToolAnswer GhostAnswer(const agent::GhostResult& result, const GhostArguments& args) {
  ToolAnswer answer{.is_error = !result.success, .structured = GhostJson(result, args.has_words)};
  answer.text = result.success
                    ? fmt::format("ok {} by {}", NameIn(agent::kRenderModes, result.render_mode),
                                  result.provider)
                    : fmt::format("error {}: {}", result.error->name(), result.error->message());
  answer.render_mode = NameIn(agent::kRenderModes, result.render_mode);
  if (result.error) answer.failure = agent::ToolFailure::Of(*result.error);
  if (!result.screenshot.empty()) {
    answer.artifacts = {result.screenshot};
    answer.text += "\npicture " + result.screenshot;
    answer.links = ArtifactLinks(args.session, {{.artifact_id = result.screenshot}});
  }
  answer.text += '\n';
  answer.page_at = answer.text.size();
  answer.text += CutToBudget(result.content);
  return answer;
}

Task<Result<ToolAnswer>> GhostExtract(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, ReadGhostArguments));
  CO_TRY(context->Rooms());
  CO_TRY_ASSIGN(const agent::GhostReader reader,
                MakeGhostReader([context] { return context->Rooms(); }, context->guard()));
  // Who calls it by its name allows it.
  agent::GhostWish wish{.url = args.url.empty() ? "" : CompleteUrl(args.url),
                        .session = context->WorkflowOf(args.session).value(),
                        .prompt = args.prompt,
                        .viewport_only = args.is_viewport_only,
                        .allow_ghost = true,
                        .trigger = agent::GhostTrigger::kAlways,
                        .timeout = kGhostTime};
  CO_TRY_ASSIGN(const agent::GhostResult result,
                co_await reader.Extract(std::move(ctx), std::move(wish)));
  co_return GhostAnswer(result, args);
}

}  // namespace

std::vector<ToolRow> GhostTools() {
  using enum agent::SideEffect;
  return {
      {{"ghost_extract", "Read a picture of a page",
        "Read a page from a picture of it, where its markup gives nothing.", kCrawlGroup, kWrite,
        InputSchema({{"url", TextSchema("default: the current page")},
                     {"prompt", TextSchema("text, prices, layout, or a question")},
                     {"viewport_only", FlagSchema()},
                     {"words", FlagSchema()}})},
       GhostExtract,
       Acting(model::Capability::kRead, kGhostTime)},
  };
}

}  // namespace falconer::api
