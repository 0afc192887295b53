#include "app/approvals/client_approvals.h"

#include <sstream>

#include "app/approvals/store_approval_records.h"
#include "app/approvals/terminal_channel.h"
#include "base/file.h"
#include "store/sqlite_store.h"
#include "tests/support/co_test.h"
#include "tests/support/in_background.h"
#include "tests/support/sample_approval.h"

namespace falconer::app {
namespace {

using namespace std::chrono_literals;
using model::ApprovalAnswer;
using model::ApprovalState;

// A program that asks, over a real store.
struct AskingBench {
  explicit AskingBench(const CallContext& ctx)
      : folder(TempDir::Create("falconer-client-approvals-").value()),
        store(store::SqliteStore::Open(folder.path() / "control.db", clock).value()),
        records(*store),
        desk(ctx.executor(), clock, records, {.owner = "this.machine:1:1"}, Note) {
    settings.approvals.client_may_approve = true;
  }
  static Task<Result<void>> Note(TenantId /*tenant*/, json::object /*event*/) {
    co_return Result<void>();
  }
  static model::ApprovalRequest Draft() {
    model::ApprovalRequest request = test::SampleApproval(WallTime(1s));
    request.request_id.clear();
    request.expires = {};
    return request;
  }
  // The id of what was just asked.
  Task<std::string> Asked() {
    for (;;) {
      const auto pending = desk.Pending();
      if (!pending.empty()) co_return pending.front().request_id;
      co_await boost::asio::post(co_await boost::asio::this_coro::executor,
                                 boost::asio::use_awaitable);
    }
  }

  TempDir folder;
  SystemClock clock;
  Settings settings;
  std::unique_ptr<store::SqliteStore> store;
  StoreApprovalRecords records;
  engine::ApprovalDesk desk;
};

CO_TEST(ClientApprovalsTest, SeesPromptlyWhatAnotherProcessDecides) {
  AskingBench bench(ctx);
  test::InBackground asking(ctx.executor(), bench.desk.Ask(ctx, AskingBench::Draft()));
  const std::string id = co_await bench.Asked();
  const auto other = store::SqliteStore::Open(bench.folder.path() / "control.db", bench.clock);
  const auto decided = co_await (*other)->DecideApproval(test::Approving(id, "ann"));
  EXPECT_TRUE(decided);
  const auto begun = bench.clock.Now();
  const auto outcome = co_await asking.Join();
  EXPECT_TRUE(outcome && outcome->is_approved());
  EXPECT_LT(bench.clock.Now() - begun, 5s);
  const auto record = co_await bench.store->FindApproval(id);
  EXPECT_TRUE(record && record->used) << "used up, and that is durable";
  co_await bench.desk.Stop();
}

CO_TEST(ClientApprovalsTest, ThePersonAtTheClientIsOneWhoApproves) {
  AskingBench bench(ctx);
  ClientApprovals client(bench.settings);
  EXPECT_TRUE(client.PendingFor("call-1").empty()) << "before there is a desk";
  client.Attach(bench.desk);
  int changes = 0;
  const Subscription heard = client.OnChange([&changes] { ++changes; });
  test::InBackground asking(ctx.executor(), bench.desk.Ask(ctx, AskingBench::Draft()));
  const std::string id = co_await bench.Asked();
  EXPECT_EQ(client.PendingFor("call-1").size(), 1U);
  EXPECT_TRUE(client.PendingFor("call-2").empty()) << "of another call";
  EXPECT_TRUE(client.PendingFor("").empty());
  const auto decided = co_await client.DecideAtClient(id, ApprovalAnswer::kApprove, "yes");
  EXPECT_TRUE(decided);
  const auto outcome = co_await asking.Join();
  EXPECT_EQ(outcome->record.decisions.at(0).approver, kClientApprover);
  EXPECT_GE(changes, 2);
  client.Detach();
  co_await bench.desk.Stop();
}

CO_TEST(ClientApprovalsTest, ThePersonAtTheClientMayBeKeptOut) {
  AskingBench bench(ctx);
  ClientApprovals client(bench.settings);
  client.Attach(bench.desk);
  model::ApprovalRequest request = test::SampleApproval(bench.clock.WallNow());
  EXPECT_TRUE(client.MayClientApprove(request));
  request.preview->is_cut = true;
  EXPECT_FALSE(client.MayClientApprove(request)) << "the client does not show all of it";
  request.preview->is_cut = false;
  request.terms.approvers = {"ann"};
  EXPECT_FALSE(client.MayClientApprove(request)) << "not among those named";
  request.terms.approvers = {"ann", "mcp-client"};
  EXPECT_TRUE(client.MayClientApprove(request));
  request.terms.who = model::ApproverRank::kManager;
  EXPECT_FALSE(client.MayClientApprove(request)) << "no manager";
  bench.settings.approvals.managers = {"mcp-client"};
  EXPECT_TRUE(client.MayClientApprove(request));
  request.agent_id = "mcp-client";
  EXPECT_FALSE(client.MayClientApprove(request)) << "whoever asked cannot";
  bench.settings.approvals.client_may_approve = false;
  EXPECT_FALSE(client.MayClientApprove(test::SampleApproval(bench.clock.WallNow())));
  const auto refused = co_await client.DecideAtClient("apr_1", ApprovalAnswer::kApprove, "");
  EXPECT_EQ(refused.error().code(), ErrorCode::kPolicyDenied);
  client.Detach();
  co_await bench.desk.Stop();
}

TEST(ApprovalTerminalTest, SaysWhatItWaitsForAndHowToDecide) {
  std::ostringstream out;
  std::ostringstream err;
  Terminal terminal(out, err, Colour::kOff);
  TerminalChannel channel(terminal);
  const model::ApprovalRequest request = test::SampleApproval(WallTime(1s));
  channel.Announce(request);
  channel.Ended({.request = request, .state = ApprovalState::kDenied, .end_reason = "no\n"});
  EXPECT_EQ(out.str(), "");
  EXPECT_TRUE(err.str().contains("falconer approvals approve " + request.request_id)) << err.str();
  EXPECT_TRUE(err.str().contains("is denied: no\\u{a}")) << err.str();
}

}  // namespace
}  // namespace falconer::app
