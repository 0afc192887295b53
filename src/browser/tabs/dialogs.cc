#include "browser/tabs/dialogs.h"

#include <utility>

namespace falconer::browser {
namespace {

constexpr std::size_t kMostRecent = 16;
constexpr std::string_view kBeforeUnload = "beforeunload";

}  // namespace

Dialogs::Dialogs(const SessionOptions& options, Notifier& changes)
    : options_(options), changes_(changes) {
}

void Dialogs::Follow(const std::shared_ptr<cdp::Session>& session) {
  Followed followed{.session = session};
  // Every session of the tab hears of every dialog; once is enough.
  if (followed_.empty()) {
    followed.subscriptions.push_back(session->On<cdp::PageJavascriptDialogOpening>(
        [this](const auto& event) { OnOpening(event); }));
    followed.subscriptions.push_back(session->On<cdp::PageJavascriptDialogClosed>(
        [this](const auto& event) { OnClosed(event); }));
  }
  followed_.push_back(std::move(followed));
}

void Dialogs::Unfollow(const cdp::Session& session) {
  std::erase_if(followed_, [&](const Followed& f) { return f.session.get() == &session; });
}

void Dialogs::OnOpening(const cdp::PageJavascriptDialogOpening& event) {
  const Dialog dialog{.type = event.type,
                      .message = event.message,
                      .default_prompt = event.default_prompt.value_or(""),
                      .url = event.url,
                      .seq = ++last_seq_};
  recent_.push_back(dialog);
  if (recent_.size() > kMostRecent) recent_.pop_front();
  const DialogPolicy policy =
      dialog.type == kBeforeUnload ? options_.before_unload : options_.dialogs;
  if (policy == DialogPolicy::kSurface) {
    Surface(dialog);
  } else {
    PostAnswer(dialog,
               policy == DialogPolicy::kAccept ? DialogAnswer::kAccept : DialogAnswer::kDismiss,
               {});
  }
  on_opened_.Emit(dialog);
  changes_.NotifyAll();
}

void Dialogs::Surface(const Dialog& dialog) {
  open_ = dialog;
  const Error why = OpenError();
  for (const Followed& followed : followed_) followed.session->Block(why);
}

// A prompt that is accepted as it is keeps what it suggests.
cdp::PendingReply<cdp::PageHandleJavaScriptDialog> Dialogs::PostAnswer(
    const Dialog& dialog, DialogAnswer answer, std::optional<std::string> prompt_text) {
  const bool accepts = answer == DialogAnswer::kAccept;
  if (accepts && !prompt_text && dialog.type == "prompt") prompt_text = dialog.default_prompt;
  return followed_.front().session->Post(
      cdp::PageHandleJavaScriptDialog{.accept = accepts, .prompt_text = std::move(prompt_text)});
}

void Dialogs::OnClosed(const cdp::PageJavascriptDialogClosed& event) {
  open_.reset();
  for (const Followed& followed : followed_) followed.session->Unblock(ErrorCode::kDialogOpen);
  if (!event.result && !recent_.empty() && recent_.back().type == kBeforeUnload) on_stayed_.Emit();
  changes_.NotifyAll();
}

Task<Result<Dialog>> Dialogs::Answer(CallContext ctx, DialogAnswer answer,
                                     std::optional<std::string> prompt_text) {
  if (!open_) co_return Fail(ErrorCode::kNoDialog, "no dialog is open");
  const Dialog answered = *open_;
  auto reply = PostAnswer(answered, answer, std::move(prompt_text));
  CO_TRY(co_await reply.Wait(ctx));
  CO_TRY(co_await changes_.Until(
      ctx, [this, &answered] { return !open_ || open_->seq != answered.seq; },
      "the dialog to close"));
  co_return answered;
}

Error Dialogs::OpenError() const {
  const std::string article = open_->type == "alert" ? "an " : "a ";
  return Error(
      ErrorCode::kDialogOpen,
      "the page shows " + article + open_->type + " dialog that has to be answered first",
      {{"type", std::string_view(open_->type)}, {"message", std::string_view(open_->message)}});
}

Result<void> Dialogs::NoneOpen() const {
  if (open_) return std::unexpected(OpenError());
  return {};
}

}  // namespace falconer::browser
