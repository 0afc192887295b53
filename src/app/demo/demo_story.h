#pragma once
// DemoStory: an agent buys three bags of coffee. A review tries to lead it astray, a service fails,
// a page is slow, a password is typed that nobody sees, and the purchase waits for a person. Every
// action is a contract that is admitted, carried out, verified and recorded; at the end it is
// proven that nothing else happened.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "api/tools/view_guard.h"
#include "app/demo/demo_actor.h"
#include "app/demo/demo_report.h"
#include "app/demo/demo_stage.h"
#include "app/demo/purchase_watch.h"
#include "model/state/state.h"

namespace falconer::app {

class DemoStory {
 public:
  struct Options {
    DemoActor::Rooms rooms;
    DemoApprover approver = DemoApprover::kDemo;
    Duration pause{};
    // Where the last picture is kept; empty for nowhere.
    std::filesystem::path picture = {};
  };

  // Stage and report must outlive the story.
  DemoStory(const DemoStage& stage, DemoReport& report, Options options);

  // Plays from start to end. Fails as the step that failed; a purchase that people deny is an end
  // like another, if no order was placed.
  Task<Result<void>> Play(CallContext ctx);

  // What a model reads of the page at the end.
  const model::StructuredState& state() const { return state_; }

 private:
  struct Scene;
  static const Scene kScenes[];

  Task<Result<void>> Find(CallContext ctx);
  Task<Result<void>> ReadReviews(CallContext ctx);
  Task<Result<void>> Obey(CallContext ctx);
  Task<Result<void>> FollowBait(CallContext ctx);
  Task<Result<void>> MeetTrouble(CallContext ctx);
  Task<Result<void>> FillCart(CallContext ctx);
  Task<Result<void>> LogIn(CallContext ctx);
  Task<Result<void>> CheckOut(CallContext ctx);
  Task<Result<void>> Buy(CallContext ctx);
  Task<Result<void>> BuyAgain(CallContext ctx);
  Task<Result<void>> ReadResult(CallContext ctx);
  Task<Result<void>> Prove(CallContext ctx);

  Task<Result<void>> ShowAll(CallContext ctx, std::span<const std::string_view> contracts);
  // What a model would be shown of the page now.
  Task<Result<void>> Observe(CallContext ctx);
  Task<Result<void>> ShowCover(CallContext ctx);
  Result<void> CheckOrders(std::int64_t wanted) const;
  Result<void> Bought(const model::ActionExecutionResult& result);
  Result<void> NotBought(const model::ActionFailure& failure);

  const DemoStage& stage_;
  DemoReport& report_;
  Options options_;
  DemoActor actor_;
  api::ViewGuard guard_;
  model::StructuredState state_;
  json::object purchase_;  // the contract
  TurnId bought_in_;
  bool is_denied_ = false;
};

}  // namespace falconer::app
