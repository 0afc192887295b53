#include "api/tools/capture_tools.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "api/tools/artifact_link.h"
#include "api/tools/input_schema.h"
#include "base/base64.h"
#include "browser/context/artifact_manager.h"

namespace falconer::api {
namespace {

constexpr std::string_view kFormatNames[] = {"png", "jpeg", "webp"};
// Clients refuse larger pictures.
constexpr std::size_t kMostPictureBytes = 3UZ * 1024 * 1024;

struct ScreenshotArguments {
  TargetArgument target;
  model::ImageFormat format = model::ImageFormat::kPng;
  bool is_full_page = false;
  std::string session;
};

ScreenshotArguments ReadScreenshot(JsonReader& in) {
  ScreenshotArguments args{
      .target = ReadTargetArgument(in),
      .format = in.OptionalEnum("type", model::kImageFormats).value_or(model::ImageFormat::kPng),
      .is_full_page = in.OptionalBool("fullPage").value_or(false),
      .session = ReadSession(in)};
  if (args.is_full_page && !args.target.empty())
    in.Reject("fullPage", "is given together with an element");
  return args;
}

// What was kept of a capture, and not what a page happened to bring down meanwhile; null when it
// failed.
const model::ResultArtifact* CaptureIn(const model::ActionExecutionResult& result) {
  if (!result.success) return nullptr;
  const auto found = std::ranges::find_if(result.artifacts, [](const model::ResultArtifact& file) {
    return !file.artifact_id.starts_with("dl_");
  });
  return found == result.artifacts.end() ? nullptr : &*found;
}

browser::ArtifactOwner OwnerOf(const ToolContext& context, const ToolRooms& rooms,
                               const std::string& session) {
  return {.tenant = rooms.caller.tenant, .workflow = context.WorkflowOf(session)};
}

Task<Result<ToolAnswer>> TakeScreenshot(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const auto args, ReadArguments(call, ReadScreenshot));
  json::object spec = args.target.fields;
  spec["action_type"] = "screenshot";
  spec["screenshot"] = {{"format", NameIn(model::kImageFormats, args.format)},
                        {"full_page", args.is_full_page}};
  ActionWish wish{
      .session = args.session, .spec = std::move(spec), .intent = args.target.description};
  CO_TRY_ASSIGN(const auto result, co_await context->Act(std::move(ctx), std::move(wish)));
  const model::ResultArtifact* picture = CaptureIn(result);
  if (picture == nullptr) co_return ResultAnswer(result, std::nullopt, {});
  ToolAnswer answer{.text = fmt::format("ok {} {} bytes", picture->artifact_id, picture->bytes),
                    .links = ArtifactLinks(args.session, result.artifacts)};
  NoteForTrace(answer, result);
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  CO_TRY_ASSIGN(const std::string bytes, rooms.runtime->parts().artifacts.Read(
                                             OwnerOf(*context, rooms, args.session),
                                             picture->artifact_id, 0, kMostPictureBytes + 1));
  if (bytes.size() <= kMostPictureBytes) {
    answer.image = ToolImage{.base64 = EncodeBase64(bytes), .mime = picture->mime};
  } else {
    answer.text += "\ntoo large to be shown; take it as jpeg, or of an element";
  }
  co_return answer;
}

Task<Result<ToolAnswer>> SavePdf(CallContext ctx, ToolContext* context, ToolCall call) {
  CO_TRY_ASSIGN(const std::string session, ReadArguments(call, ReadSession));
  ActionWish wish{.session = session, .spec = {{"action_type", "pdf"}}};
  CO_TRY_ASSIGN(const auto result, co_await context->Act(std::move(ctx), std::move(wish)));
  const model::ResultArtifact* file = CaptureIn(result);
  if (file == nullptr) co_return ResultAnswer(result, std::nullopt, {});
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const auto folder = rooms.runtime->parts().artifacts.FolderOf(OwnerOf(*context, rooms, session));
  CO_TRY_ASSIGN(const auto path, browser::ContentIn(folder / file->artifact_id));
  ToolAnswer answer{
      .text = fmt::format("ok {} {} bytes\n{}", file->artifact_id, file->bytes, path.string()),
      .links = ArtifactLinks(session, result.artifacts)};
  NoteForTrace(answer, result);
  co_return answer;
}

}  // namespace

std::vector<ToolRow> CaptureTools() {
  using enum agent::SideEffect;
  return {
      {{"browser_take_screenshot", "Screenshot", "A picture of the view, the page or an element.",
        kCoreGroup, kRead,
        InputSchema({{"target", TextSchema()},
                     {"fullPage", FlagSchema()},
                     {"type", ChoiceSchema(kFormatNames)}})},
       TakeScreenshot,
       Acting(model::Capability::kRead)},
      {{"browser_pdf_save", "Save as PDF", "Save the page as PDF.", kCoreGroup, kRead,
        InputSchema({})},
       SavePdf,
       Acting(model::Capability::kExport)},
  };
}

}  // namespace falconer::api
