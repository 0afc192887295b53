#include "app/approvals/approval_commands.h"

#include "app/approvals/approval_news.h"
#include "app/approvals/approval_text.h"
#include "kernel/leases/lease_owner.h"
#include "ledger/reader.h"
#include "store/sqlite_store.h"
#include "tests/support/command_bench.h"
#include "tests/support/run_task.h"
#include "tests/support/sample_approval.h"

namespace falconer::app {
namespace {

using namespace std::chrono_literals;
using model::ApprovalState;

class ApprovalCommandsTest : public test::CommandBench {
 protected:
  ApprovalCommandsTest()
      : CommandBench("approvals"),
        store_(store::SqliteStore::Open(folder_.path() / "control.db", clock_).value()) {}

  std::string Put(const std::function<void(model::ApprovalRequest&)>& change = {}) {
    model::ApprovalRequest request = test::SampleApproval(clock_.WallNow());
    if (change) change(request);
    const auto put = Wait(store_->PutApproval(request));
    EXPECT_TRUE(put) << put.error().message();
    return request.request_id;
  }
  ApprovalState StateOf(const std::string& id) { return Wait(store_->FindApproval(id))->state; }
  template <typename T>
  T Wait(Task<T> task) {
    return test::RunTask(io_, std::move(task));
  }
  std::string ErrorOf(const json::object& answer) {
    return TextAt(answer.at("error").as_object(), "code");
  }

  SystemClock clock_;
  boost::asio::io_context io_;
  std::unique_ptr<store::SqliteStore> store_;
};

TEST_F(ApprovalCommandsTest, ListsWhatIsPending) {
  EXPECT_TRUE(Text({"list"}).contains("no approvals to show"));
  const std::string id = Put();
  const std::string text = Text({"list"});
  EXPECT_TRUE(text.contains(id)) << text;
  EXPECT_TRUE(text.contains("Buys something for 49 USD at shop.example")) << text;
  EXPECT_TRUE(text.contains("9m5")) << "the time left: " << text;
  const json::object answer = Run({"list"});
  const json::object& row = answer.at("approvals").as_array().at(0).as_object();
  EXPECT_EQ(TextAt(row, "state"), "pending");
  EXPECT_GT(row.at("expires_in_ms").to_number<std::int64_t>(), 500'000);
  EXPECT_TRUE(Run({"list", "--state", "denied"}).at("approvals").as_array().empty());
  EXPECT_EQ(Run({"list", "--state", "all"}).at("approvals").as_array().size(), 1U);
  EXPECT_EQ(ErrorOf(Run({"list", "--state", "maybe"}, kExitUsage)), "INVALID_ARGUMENT");
}

TEST_F(ApprovalCommandsTest, ShowsEverythingThatPeopleNeed) {
  const std::string id = Put();
  const std::string text = Text({"show", id});
  for (const std::string_view part :
       {"Buys something for 49 USD", "0 of 1 approvals", "left", "shopper, tenant acme",
        "high; it makes an order", "buying", "POST https://shop.example/orders", "item = 7",
        "a.txt", "1 values masked", "digest", "aaaaaaaa", "expires"}) {
    EXPECT_TRUE(text.contains(part)) << part << " in\n" << text;
  }
  const json::object answer = Run({"show", id});
  EXPECT_EQ(TextAt(answer.at("approval").as_object(), "request_id"), id);
  EXPECT_EQ(ErrorOf(Run({"show", model::NewApprovalId()}, kExitFailed)), "NOT_FOUND");
  EXPECT_EQ(ErrorOf(Run({"show", "apr_1"}, kExitUsage)), "INVALID_ARGUMENT");
}

TEST_F(ApprovalCommandsTest, NeverSaysNoneOfABodyThatCouldNotBeRead) {
  const std::string id = Put([](model::ApprovalRequest& request) {
    request.preview->form = model::PreviewForm::kNone;
    request.preview->is_body_whole = false;
    request.preview->is_cut = true;
  });
  const std::string text = Text({"show", id});
  EXPECT_TRUE(text.contains("NOT ALL OF IT COULD BE READ")) << text;
  EXPECT_TRUE(text.contains("not all of it is shown here")) << text;
}

TEST_F(ApprovalCommandsTest, ShowsTheScriptOfAnAction) {
  const std::string id = Put([](model::ApprovalRequest& request) {
    request.preview = model::RequestPreview{.method = "",
                                            .url = "https://a.test/",
                                            .form = model::PreviewForm::kAction,
                                            .fields = {{"argument", "{}"}},
                                            .body = "steal(document.cookie)",
                                            .effect = "Carry out custom_js_restricted"};
  });
  const std::string text = Text({"show", id});
  for (const std::string_view part :
       {"script     steal(document.cookie)", "argument = {}", "page       https://a.test/"})
    EXPECT_TRUE(text.contains(part)) << part << " in\n" << text;
}

TEST_F(ApprovalCommandsTest, NothingOfAPageCanForgeALine) {
  const std::string id = Put([](model::ApprovalRequest& request) {
    request.description = "Reads\n  risk       low\x1b[2J";
    request.preview->fields = {{"note", "x\n  state      approved"}};
  });
  const std::string text = Text({"show", id});
  EXPECT_FALSE(text.contains('\x1b'));
  EXPECT_FALSE(text.contains("\n  risk       low")) << text;
  EXPECT_FALSE(text.contains("\n  state      approved")) << text;
  EXPECT_FALSE(Text({"list"}).contains('\x1b'));
}

TEST_F(ApprovalCommandsTest, ApprovesByTheUserOfTheSystemAndPutsItOnRecord) {
  const std::string id = Put();
  EXPECT_EQ(Text({"approve", id, "--reason", "asked her"}), id + " is approved\n");
  const auto record = Wait(store_->FindApproval(id));
  EXPECT_EQ(record->state, ApprovalState::kApproved);
  EXPECT_FALSE(record->decisions.at(0).approver.empty());
  EXPECT_EQ(record->decisions.at(0).channel, "cli");
  EXPECT_EQ(record->decisions.at(0).reason, "asked her");
  const test::Printed audit = test::RunCommand(
      {"audit", "query", "--tenant", "acme", "--kind", "approval", "--json"}, data());
  EXPECT_EQ(audit.code, kExitOk) << audit.all();
  EXPECT_TRUE(audit.out.contains("\"event\":\"decided\"")) << audit.out;
  EXPECT_TRUE(audit.out.contains(id)) << audit.out;
}

TEST_F(ApprovalCommandsTest, WhatNobodyWaitsForCannotBeApproved) {
  const auto is_gone = [](model::ApprovalRequest& request) {
    request.owner = kernel::OwnLeaseOwner() + "0";  // started at another time
  };
  const std::string id = Put(is_gone);
  EXPECT_TRUE(Text({"list"}).contains("the program that asked has ended"));
  EXPECT_TRUE(Text({"show", id}).contains("pending, but the program that asked has ended"));

  const std::string text = Text({"approve", id, "--as", "ann"}, kExitFailed);

  EXPECT_TRUE(text.contains("the program that asked has ended")) << text;
  EXPECT_FALSE(text.contains(id + " is approved")) << text;
  EXPECT_EQ(StateOf(id), ApprovalState::kDenied);
  EXPECT_TRUE(Wait(store_->FindApproval(id))->decisions.empty());
  const std::string other = Put(is_gone);
  EXPECT_EQ(ErrorOf(Run({"approve", other}, kExitFailed)), "APPROVAL_DENIED");
}

TEST_F(ApprovalCommandsTest, WantsAsManyDifferentPeopleAsTheTermsSay) {
  const std::string id = Put([](model::ApprovalRequest& request) { request.terms.count = 2; });
  EXPECT_EQ(Text({"approve", id, "--as", "ann"}), id + " has 1 of 2 approvals\n");
  EXPECT_EQ(Text({"approve", id, "--as", "Ann"}), id + " has 1 of 2 approvals\n");
  EXPECT_EQ(Text({"approve", id, "--as", "bob"}), id + " is approved\n");
}

TEST_F(ApprovalCommandsTest, RefusesThoseWhoMayNot) {
  const std::string id = Put(
      [](model::ApprovalRequest& request) { request.terms.who = model::ApproverRank::kManager; });
  EXPECT_EQ(ErrorOf(Run({"approve", id, "--as", "shopper"}, kExitFailed)), "POLICY_DENIED");
  EXPECT_EQ(ErrorOf(Run({"approve", id, "--as", "ann"}, kExitFailed)), "POLICY_DENIED");
  EXPECT_EQ(StateOf(id), ApprovalState::kPending);
  Run({"approve", id, "--as", "ann", "--set", "approvals.managers=bob Ann"});
  EXPECT_EQ(StateOf(id), ApprovalState::kApproved);
}

TEST_F(ApprovalCommandsTest, DeniesWithAReasonAndOnlyOnce) {
  const std::string id = Put();
  EXPECT_EQ(ErrorOf(Run({"deny", id}, kExitUsage)), "INVALID_ARGUMENT");
  EXPECT_EQ(StateOf(id), ApprovalState::kPending);
  Run({"deny", id, "--reason", "wrong address", "--as", "ann"});
  EXPECT_EQ(StateOf(id), ApprovalState::kDenied);
  EXPECT_EQ(ErrorOf(Run({"approve", id, "--as", "bob"}, kExitFailed)), "ALREADY_EXISTS");
  const std::string text = Text({"show", id});
  EXPECT_TRUE(text.contains("denied by ann: wrong address")) << text;
}

TEST_F(ApprovalCommandsTest, NewsAreWhatWasNotThereOrHasChanged) {
  const WallTime now = clock_.WallNow();
  model::ApprovalRecord old{.request = test::SampleApproval(now), .state = ApprovalState::kDenied};
  model::ApprovalRecord open{.request = test::SampleApproval(now)};
  ApprovalNews news;
  const auto first = news.In({open, old});
  ASSERT_EQ(first.size(), 1U) << "what is over already is no news";
  EXPECT_EQ(first[0].request, open.request);
  EXPECT_TRUE(news.In({open, old}).empty());
  model::ApprovalRecord next{.request = test::SampleApproval(now)};
  model::ApprovalRecord decided = open;
  decided.decisions.push_back(test::Approving(open.request.request_id, "ann"));
  const auto second = news.In({next, decided, old});
  ASSERT_EQ(second.size(), 2U);
  EXPECT_EQ(second[0].request, open.request) << "oldest first";
  decided.state = ApprovalState::kApproved;
  EXPECT_EQ(news.In({next, decided, old}).size(), 1U);
}

TEST_F(ApprovalCommandsTest, CountsDownInMinutesAndSeconds) {
  const WallTime now = clock_.WallNow();
  model::ApprovalRequest request = test::SampleApproval(now);
  EXPECT_EQ(CountdownOf(request, now), "10m00s");
  EXPECT_EQ(CountdownOf(request, now + 9min + 15s), "45s");
  EXPECT_EQ(CountdownOf(request, now + 1h), "0s");
}

}  // namespace
}  // namespace falconer::app
