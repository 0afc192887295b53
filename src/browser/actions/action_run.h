#pragma once
// ActionRun: one action on its way: what was asked, where it happens, and what has been observed.

#include <functional>
#include <memory>
#include <string>

#include "browser/actions/input_hooks.h"
#include "browser/frames/navigator.h"
#include "browser/network/egress_door.h"
#include "browser/session.h"
#include "model/action/action.h"
#include "model/evidence.h"

namespace falconer::browser {

// Has the page been heard from since the input? If not, one more round trip makes sure that
// everything the input set off has been announced.
enum class Heard { kYes, kNotYet };

class ActionRun {
 public:
  // `session` and `navigator` must outlive the run.
  ActionRun(Session& session, Navigator& navigator, std::shared_ptr<Tab> tab,
            model::ActionSpec spec, InputHooks hooks = {});

  Session& session() const { return session_; }
  Navigator& navigator() const { return navigator_; }
  const std::shared_ptr<Tab>& tab() const { return tab_; }
  cdp::Session& page() const { return *tab_->session(); }
  const model::ActionSpec& spec() const { return spec_; }
  model::ActionOutcome& outcome() { return outcome_; }
  const InputHooks& hooks() const { return hooks_; }
  // What is met is known only at the page: `before` comes after that.
  bool is_decided_late() const { return static_cast<bool>(hooks_.meets); }

  // Binds the action's target: the whole page when it names none. Of several candidates the first
  // that exists now is taken.
  Task<Result<BoundTarget>> BindTarget(CallContext ctx);
  // A target and what the script answered about it.
  struct Called {
    BoundTarget target;
    json::object answer;
  };
  // Binds the target and calls a function of the script on it. Should the page or frame be replaced
  // meanwhile, whatever was done to it is gone with it, and the target is looked for in the next.
  Task<Result<Called>> BindAndCall(CallContext ctx, std::string function, json::object arguments);
  // From then on the target is no longer waited for.
  void BindUntil(Deadline deadline) { bind_until_ = deadline; }
  // Calls a function of the script on the bound target and notes the element it acted on.
  Task<Result<json::object>> CallOnTarget(CallContext ctx, BoundTarget target, std::string function,
                                          json::object arguments);

  // Sends a command that is for the page in front. Just after a page has come the browser may not
  // take it for that yet: then it is asked again, once the page has been heard from.
  template <typename Command>
  Task<Result<typename Command::Reply>> SendToTab(CallContext ctx, Command command) {
    constexpr int kMostTries = 5;
    for (int tries = 1;; ++tries) {
      auto reply = co_await page().Send(ctx, command);
      const bool is_refused = !reply && reply.error().code() == ErrorCode::kTargetDetached;
      if (!is_refused || !page().is_open() || tries == kMostTries) co_return reply;
      CO_TRY(co_await page().Send(ctx, cdp::RuntimeEvaluate{.expression = "0", .silent = true}));
    }
  }

  // Has the caller do what he wants to do before the input. Only the first call does anything.
  Task<Result<void>> BeforeInput();
  // The page as the caller saw it before; without a document when he did not look.
  const PageMark& seen() const { return seen_; }
  // Tells the caller the page as the input left it.
  void NoteChanged(PageReading reading) { hooks_.changed(std::move(reading)); }

  // Whether input may leave for the page now: it is still wanted, and no dialog would hold it back
  // until nobody expects it any more.
  Result<void> MayAct(const CallContext& ctx, std::string_view what) const;

  // For waiting on the page after input: a popup that shows a dialog at once holds up the page that
  // opened it, and the waiting ends with kDialogOpen.
  CallContext UntilPopupAsks(const CallContext& ctx);

  // After input: sees what it set off. Waits for a main-frame navigation to commit, and notes
  // dialogs, popups and downloads that appeared since the run began.
  Task<Result<void>> Settle(CallContext ctx, Heard heard);

  // Notes the requests of the tab and its popups that were refused since the run began.
  void NoteRefused();
  // Why the page that the run led to was not let through; nothing when none was refused.
  std::optional<Error> RefusedPage() const;
  // What the session's egress proxy has to say about a page at `url` that came otherwise than it
  // should; `status` is what came instead. Nothing when it has nothing to do with it.
  std::optional<Error> EgressTrouble(const std::string& url,
                                     std::optional<int> status = std::nullopt) const;

  // Notes a try that did not succeed.
  void NoteAttempt(const Error& cause, TimePoint since);
  // Adds the time since the last call to the phase.
  void EndPhase(model::Phase phase);
  void NoteElement(const BoundTarget& target, const json::object& answer);

 private:
  void NoteDialog();
  void NotePopup(Tab& popup);
  void NotePopups();
  void NoteDownloads();
  void NoteNavigation();
  BoundTarget WholePage() const;

  Session& session_;
  Navigator& navigator_;
  std::shared_ptr<Tab> tab_;
  model::ActionSpec spec_;
  InputHooks hooks_;
  PageMark seen_;
  model::ActionOutcome outcome_;
  Clock& clock_;
  TimePoint phase_start_;
  Deadline bind_until_ = Deadline::Never();
  std::uint64_t dialogs_before_;
  std::uint64_t refused_before_;
  model::EgressMark egress_before_;
  std::uint64_t downloads_before_;
  std::shared_ptr<Document> document_before_;
  std::vector<TabId> popups_;
  LinkedCancelSource popup_asks_;
  std::vector<Subscription> popup_dialogs_;
  Subscription popup_watch_;
};

}  // namespace falconer::browser
