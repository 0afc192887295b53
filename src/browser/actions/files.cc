// Uploads and downloads.

#include <utility>

#include "browser/actions/actions.h"
#include "browser/actions/element_facts.h"
#include "browser/actions/meet.h"
#include "browser/context/artifact_folder.h"

namespace falconer::browser {
namespace {

// The browser takes a path that does not exist without a word and sends an empty file: every path
// is checked first.
Result<std::vector<std::string>> ResolveFiles(const ActionRun& run) {
  const ArtifactFolder folder(run.session().options().artifacts);
  std::vector<std::string> paths;
  for (const model::UploadFile& file : run.spec().files) {
    TRY_ASSIGN(const auto path,
               folder.ResolveUpload(file.path.empty() ? file.artifact_id : file.path));
    paths.push_back(path.string());
  }
  return paths;
}

enum class Takes { kOne, kMany };

Result<void> CheckCount(const std::vector<std::string>& paths, Takes takes) {
  if (paths.size() < 2 || takes == Takes::kMany) return {};
  return Fail(ErrorCode::kInvalidActionSpec, "files: the page takes only one file here");
}

// The element opens a file chooser when it is clicked; the chooser says which input it is for.
Task<Result<FileChooser>> OpenChooser(CallContext ctx, ActionRun* run) {
  const auto tab = run->tab();
  const auto before = tab->file_choosers_seen();
  CO_TRY(co_await Click(ctx, run));
  CO_TRY(co_await tab->changes().Until(
      ctx, [&] { return tab->file_choosers_seen() > before || !tab->Alive(); },
      "the file chooser"));
  CO_TRY(tab->Alive());
  co_return *tab->file_chooser();
}

// The one that an earlier action left open.
Result<FileChooser> WaitingChooser(const Tab& tab) {
  if (!tab.file_chooser())
    return Fail(ErrorCode::kNoDialog, "no file chooser is open; name the field as the target");
  return *tab.file_chooser();
}

std::string FrameAsking(Tab& tab, const FileChooser& chooser) {
  const auto frame = tab.frames().Find(chooser.frame_id);
  return frame ? FrameAddress(ScriptCall::Into(frame)) : "";
}

Task<Result<void>> FillChooser(CallContext ctx, FileChooser chooser,
                               std::vector<std::string> paths) {
  if (!chooser.backend_node_id) {
    co_return Fail(ErrorCode::kWrongElement,
                   "the page asks for a file in a way that cannot be answered");
  }
  CO_TRY(CheckCount(paths, chooser.mode == "selectMultiple" ? Takes::kMany : Takes::kOne));
  CO_TRY(co_await chooser.session->Send(
      ctx, cdp::DOMSetFileInputFiles{.files = std::move(paths),
                                     .backend_node_id = chooser.backend_node_id}));
  co_return Result<void>();
}

Task<Result<void>> FillInput(CallContext ctx, ActionRun::Called field,
                             std::vector<std::string> paths) {
  CO_TRY(CheckCount(paths, IsTrueAt(field.answer, "takes_many") ? Takes::kMany : Takes::kOne));
  const json::object handle{{"handle", field.answer.at("handle")}};
  const ScriptCall& place = field.target.place;
  CO_TRY_ASSIGN(const auto element,
                co_await CallScriptForElement(ctx, place, "element", {{"target", handle}}));
  cdp::Session& session = *place.frame->session;
  CO_TRY(co_await session.Send(
      ctx, cdp::DOMSetFileInputFiles{.files = std::move(paths), .object_id = element}));
  session.Post(cdp::RuntimeReleaseObject{.object_id = element});
  co_return Result<void>();
}

Task<Result<void>> PutFiles(CallContext ctx, ActionRun* run, std::vector<std::string> paths) {
  if (!run->spec().target) {
    CO_TRY_ASSIGN(auto waiting, WaitingChooser(*run->tab()));
    // Which of the page's inputs asks is known to the browser only.
    CO_TRY(co_await AskAbout(run, {.role = "button",
                                   .tag = "input",
                                   .type = "file",
                                   .page_url = run->tab()->url(),
                                   .frame_url = FrameAsking(*run->tab(), waiting)}));
    CO_TRY(co_await run->BeforeInput());
    co_return co_await FillChooser(std::move(ctx), std::move(waiting), std::move(paths));
  }
  json::object arguments{{"meet", run->hooks().meets != nullptr}};
  AskWhatItIsKnownBy(*run, arguments);
  CO_TRY_ASSIGN(auto field, co_await run->BindAndCall(ctx, "file_field", std::move(arguments)));
  if (IsTrueAt(field.answer, "is_file_field")) {
    CO_TRY_ASSIGN(const auto met, MetIn(*run, field.target.place, field.answer));
    if (met) CO_TRY(co_await AskAbout(run, *met));
    CO_TRY(co_await run->BeforeInput());
    co_return co_await FillInput(std::move(ctx), std::move(field), std::move(paths));
  }
  CO_TRY_ASSIGN(auto chooser, co_await OpenChooser(ctx, run));
  co_return co_await FillChooser(std::move(ctx), std::move(chooser), std::move(paths));
}

// A file that is asked for and refused never begins to come.
void StopWaiting(const RefusedRequest& request, LinkedCancelSource& waiting) {
  if (request.is_page()) waiting.Cancel(RefusalError(request.facts, request.verdict));
}

}  // namespace

ActionResult Upload(CallContext ctx, ActionRun* run) {
  CO_TRY_ASSIGN(auto paths, ResolveFiles(*run));
  run->session().given_files().Note(paths);
  CO_TRY(co_await PutFiles(ctx, run, std::move(paths)));
  run->tab()->ForgetFileChooser();
  run->EndPhase(model::Phase::kAct);
  co_return co_await run->Settle(std::move(ctx), Heard::kNotYet);
}

ActionResult TriggerDownload(CallContext ctx, ActionRun* run) {
  Downloads& downloads = run->session().downloads();
  const auto before = downloads.last_seq();
  LinkedCancelSource refused(ctx.cancel());
  const auto on_refused = run->tab()->gate().on_refused().Subscribe(
      [&](const RefusedRequest& request) { StopWaiting(request, refused); });
  if (run->spec().url) CO_TRY(co_await run->BeforeInput());
  CO_TRY(co_await (run->spec().url ? Navigate(ctx, run) : Click(ctx, run)));
  CO_TRY_ASSIGN(const auto begun,
                co_await downloads.Begun(ctx.WithCancel(refused.token()), before));
  run->outcome().downloads.clear();
  for (const Download& download : begun) run->outcome().downloads.push_back(download.id);
  CO_TRY_ASSIGN(const auto finished, co_await downloads.Finished(std::move(ctx), begun.front().id));
  run->outcome().artifact = model::ArtifactEvidence{.bytes = finished.received,
                                                    .mime = "application/octet-stream",
                                                    .sha256 = finished.sha256,
                                                    .path = finished.path.filename().string()};
  run->EndPhase(model::Phase::kSettle);
  co_return Result<void>();
}

}  // namespace falconer::browser
