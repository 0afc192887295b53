#include "browser/dialogs.h"

#include <utility>

namespace falconer::browser {
namespace {

constexpr std::size_t kMostRecent = 16;

}  // namespace

Dialogs::Dialogs(const SessionOptions& options, Notifier& changes)
    : options_(options), changes_(changes) {
}

void Dialogs::Follow(const std::shared_ptr<cdp::Session>& session) {
  Followed followed{.session = session};
  followed.subscriptions.push_back(session->On<cdp::PageJavascriptDialogOpening>(
      [this](const auto& event) { OnOpening(event); }));
  followed.subscriptions.push_back(
      session->On<cdp::PageJavascriptDialogClosed>([this](const auto&) { OnClosed(); }));
  followed_.push_back(std::move(followed));
}

void Dialogs::Unfollow(const cdp::Session& session) {
  std::erase_if(followed_, [&](const Followed& f) { return f.session.get() == &session; });
}

void Dialogs::OnOpening(const cdp::PageJavascriptDialogOpening& event) {
  // Frames in other processes report the same dialog again on their own session.
  if (open_) return;
  open_ = Dialog{.type = event.type,
                 .message = event.message,
                 .default_prompt = event.default_prompt.value_or(""),
                 .url = event.url,
                 .seq = ++last_seq_};
  recent_.push_back(*open_);
  if (recent_.size() > kMostRecent) recent_.pop_front();
  on_opened_.Emit(*open_);
  ApplyPolicy(*open_);
  changes_.NotifyAll();
}

void Dialogs::ApplyPolicy(const Dialog& dialog) {
  const DialogPolicy policy =
      dialog.type == "beforeunload" ? options_.before_unload : options_.dialogs;
  if (policy != DialogPolicy::kSurface) {
    followed_.front().session->Post(
        cdp::PageHandleJavaScriptDialog{.accept = policy == DialogPolicy::kAccept});
    return;
  }
  const Error why = OpenError();
  for (const Followed& followed : followed_) followed.session->InterruptCalls(why);
}

void Dialogs::OnClosed() {
  open_.reset();
  changes_.NotifyAll();
}

Task<Result<Dialog>> Dialogs::Answer(CallContext ctx, DialogAnswer answer,
                                     std::optional<std::string> prompt_text) {
  if (!open_) co_return Fail(ErrorCode::kNoDialog, "no dialog is open");
  const Dialog answered = *open_;
  const auto session = followed_.front().session;
  CO_TRY(co_await session->Send(
      ctx, cdp::PageHandleJavaScriptDialog{.accept = answer == DialogAnswer::kAccept,
                                           .prompt_text = std::move(prompt_text)}));
  CO_TRY(co_await changes_.Until(
      ctx, [this, &answered] { return !open_ || open_->seq != answered.seq; },
      "the dialog to close"));
  co_return answered;
}

Error Dialogs::OpenError() const {
  return Error(
      ErrorCode::kDialogOpen,
      "the page shows a " + open_->type + " dialog that has to be answered first",
      {{"type", std::string_view(open_->type)}, {"message", std::string_view(open_->message)}});
}

Result<void> Dialogs::NoneOpen() const {
  if (open_) return std::unexpected(OpenError());
  return {};
}

}  // namespace falconer::browser
