#include "store/approval_store.h"

#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/sample_approval.h"
#include "tests/support/store_bench.h"

namespace falconer::store {
namespace {

using namespace std::chrono_literals;
using model::ApprovalState;
using test::Approving;
using test::Denying;

class ApprovalStoreTest : public test::StoreBench {
 protected:
  template <typename T>
  static T Run(Task<T> task) {
    return test::Finish(std::move(task));
  }
  // Puts one and answers it.
  model::ApprovalRequest Put(SqliteStore& store, std::int64_t needed = 1) {
    model::ApprovalRequest request = test::SampleApproval(clock_.WallNow());
    request.terms.count = needed;
    const auto put = Run(store.PutApproval(request));
    EXPECT_TRUE(put) << put.error().message();
    return request;
  }
  ErrorCode CodeOf(Task<Result<model::ApprovalRecord>> task) {
    const auto result = Run(std::move(task));
    EXPECT_FALSE(result);
    return result ? ErrorCode::kInternalError : result.error().code();
  }
};

TEST_F(ApprovalStoreTest, KeepsTheWholeRequestAlsoAfterReopening) {
  model::ApprovalRequest request;
  {
    const auto store = OpenStore();
    request = Put(*store);
    EXPECT_EQ(Run(store->PutApproval(request)).error().code(), ErrorCode::kAlreadyExists);
  }
  const auto store = OpenStore();
  const auto record = Run(store->FindApproval(request.request_id));
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_EQ(record->request, request);
  EXPECT_EQ(record->state, ApprovalState::kPending);
  EXPECT_EQ(CodeOf(store->FindApproval("apr_0")), ErrorCode::kNotFound);
}

TEST_F(ApprovalStoreTest, RefusesARequestThatIsNotWhole) {
  const auto store = OpenStore();
  model::ApprovalRequest request = test::SampleApproval(clock_.WallNow());
  request.digest.clear();
  EXPECT_EQ(Run(store->PutApproval(request)).error().code(), ErrorCode::kInvalidArgument);
}

TEST_F(ApprovalStoreTest, OneApprovalOfOneNeededApproves) {
  const auto store = OpenStore();
  const auto request = Put(*store);
  clock_.Advance(3s);
  const auto record = Run(store->DecideApproval(Approving(request.request_id, "ann")));
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_EQ(record->state, ApprovalState::kApproved);
  ASSERT_EQ(record->decisions.size(), 1U);
  EXPECT_EQ(record->decisions[0].approver, "ann");
  EXPECT_EQ(record->decisions[0].decided, clock_.WallNow()) << "the time is the store's";
  EXPECT_EQ(record->ended, clock_.WallNow());
}

TEST_F(ApprovalStoreTest, TwoNeededMeansTwoDifferentPeople) {
  const auto store = OpenStore();
  const auto request = Put(*store, 2);
  EXPECT_EQ(Run(store->DecideApproval(Approving(request.request_id, "ann")))->state,
            ApprovalState::kPending);
  EXPECT_EQ(Run(store->DecideApproval(Approving(request.request_id, "ann")))->state,
            ApprovalState::kPending);
  EXPECT_EQ(Run(store->DecideApproval(Approving(request.request_id, " ANN ")))->state,
            ApprovalState::kPending)
      << "the same person, written differently";
  const auto record = Run(store->DecideApproval(Approving(request.request_id, "bob")));
  EXPECT_EQ(record->state, ApprovalState::kApproved);
  EXPECT_EQ(record->approvals(), 2);
}

TEST_F(ApprovalStoreTest, OneDenialEndsItAlsoAfterApprovals) {
  const auto store = OpenStore();
  const auto request = Put(*store, 3);
  ASSERT_TRUE(Run(store->DecideApproval(Approving(request.request_id, "ann"))));
  model::ApprovalDecision denial = Denying(request.request_id, "ann");
  denial.reason = "wrong address";
  const auto record = Run(store->DecideApproval(denial));
  ASSERT_TRUE(record) << record.error().message();
  EXPECT_EQ(record->state, ApprovalState::kDenied);
  EXPECT_EQ(record->end_reason, "denied by ann: wrong address");
  EXPECT_EQ(record->approvals(), 0) << "who changed their mind does not count twice";
}

TEST_F(ApprovalStoreTest, WhoeverAskedCannotApprove) {
  const auto store = OpenStore();
  const auto request = Put(*store);
  EXPECT_EQ(CodeOf(store->DecideApproval(Approving(request.request_id, "shopper"))),
            ErrorCode::kPolicyDenied);
  EXPECT_EQ(CodeOf(store->DecideApproval(Approving(request.request_id, "Sh\u00d6pper"))),
            ErrorCode::kPolicyDenied);
  const auto record = Run(store->FindApproval(request.request_id));
  EXPECT_EQ(record->state, ApprovalState::kPending);
  EXPECT_TRUE(record->decisions.empty()) << "a refused decision leaves nothing behind";
}

TEST_F(ApprovalStoreTest, WhatIsOverStaysAsItIs) {
  const auto store = OpenStore();
  const auto request = Put(*store);
  const std::string& id = request.request_id;
  ASSERT_TRUE(Run(store->DecideApproval(Denying(id, "ann"))));
  EXPECT_EQ(CodeOf(store->DecideApproval(Approving(id, "bob"))), ErrorCode::kAlreadyExists);
  const auto ended = Run(store->EndApproval({id, ApprovalState::kVoid, "the tab is gone"}));
  ASSERT_TRUE(ended) << ended.error().message();
  EXPECT_EQ(ended->state, ApprovalState::kDenied);
  EXPECT_EQ(ended->end_reason, "denied by ann");
}

TEST_F(ApprovalStoreTest, NobodyButPeopleApproves) {
  const auto store = OpenStore();
  const auto request = Put(*store);
  EXPECT_EQ(CodeOf(store->EndApproval({request.request_id, ApprovalState::kApproved, ""})),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(store->EndApproval({request.request_id, ApprovalState::kPending, ""})),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(CodeOf(store->EndApproval({"apr_none", ApprovalState::kVoid, ""})),
            ErrorCode::kNotFound);
}

TEST_F(ApprovalStoreTest, AfterItsTimeNobodyCanApprove) {
  const auto store = OpenStore();
  const auto request = Put(*store);
  clock_.Advance(10min);
  EXPECT_EQ(CodeOf(store->DecideApproval(Approving(request.request_id, "ann"))),
            ErrorCode::kApprovalTimeout);
  EXPECT_EQ(Run(store->FindApproval(request.request_id))->state, ApprovalState::kExpired)
      << "also when nobody noted it";
  EXPECT_TRUE(Run(store->ListApprovals({.state = ApprovalState::kPending}))->empty());
  EXPECT_EQ(Run(store->ListApprovals({.state = ApprovalState::kExpired}))->size(), 1U);
}

TEST_F(ApprovalStoreTest, AnApprovalIsUsedOnceByWhoAskedForExactlyWhatWasApproved) {
  const auto store = OpenStore();
  const auto request = Put(*store);
  const model::ApprovalUse use{request.request_id, request.owner, request.digest};
  EXPECT_EQ(Run(store->UseApproval(use)).error().code(), ErrorCode::kApprovalDenied) << "pending";
  ASSERT_TRUE(Run(store->DecideApproval(Approving(request.request_id, "ann"))));
  EXPECT_FALSE(Run(store->UseApproval({use.request_id, "another", use.digest})));
  EXPECT_FALSE(Run(store->UseApproval({use.request_id, use.owner, std::string(64, '0')})));
  EXPECT_TRUE(Run(store->UseApproval(use)));
  EXPECT_EQ(Run(store->UseApproval(use)).error().code(), ErrorCode::kApprovalDenied) << "again";
  EXPECT_EQ(Run(store->FindApproval(request.request_id))->used, clock_.WallNow());
}

TEST_F(ApprovalStoreTest, ListsByStateAndTenantNewestFirst) {
  const auto store = OpenStore();
  const auto first = Put(*store);
  clock_.Advance(1s);
  const auto second = Put(*store);
  clock_.Advance(1s);
  model::ApprovalRequest other = test::SampleApproval(clock_.WallNow());
  other.tenant = TenantId("other");
  ASSERT_TRUE(Run(store->PutApproval(other)));
  ASSERT_TRUE(Run(store->DecideApproval(Denying(first.request_id, "ann"))));

  const auto all = Run(store->ListApprovals({}));
  ASSERT_EQ(all->size(), 3U);
  EXPECT_EQ(all->at(0).request, other);
  EXPECT_EQ(all->at(2).decisions.size(), 1U);
  const auto pending =
      Run(store->ListApprovals({.tenant = TenantId("acme"), .state = ApprovalState::kPending}));
  ASSERT_EQ(pending->size(), 1U);
  EXPECT_EQ(pending->at(0).request, second);
  EXPECT_EQ(Run(store->ListApprovals({.limit = 2}))->size(), 2U);
}

TEST_F(ApprovalStoreTest, ForgetsWhatIsLongOver) {
  const auto store = OpenStore();
  const auto old = Put(*store);
  clock_.Advance(std::chrono::hours(24 * 32));
  Put(*store);
  EXPECT_EQ(CodeOf(store->FindApproval(old.request_id)), ErrorCode::kNotFound);
}

TEST_F(ApprovalStoreTest, TwoStoresOnOneFileSeeEachOther) {
  const auto host = OpenStore();
  const auto command = OpenStore();
  const auto request = Put(*host);
  ASSERT_TRUE(Run(command->DecideApproval(Approving(request.request_id, "ann"))));
  EXPECT_EQ(Run(host->FindApproval(request.request_id))->state, ApprovalState::kApproved);
  EXPECT_EQ(Run(host->EndApproval({request.request_id, ApprovalState::kExpired, ""}))->state,
            ApprovalState::kApproved);
}

// In another process: answers all of them, and tells how many ends were its own.
[[noreturn]] void DecideAll(const std::filesystem::path& file, const std::vector<std::string>& ids,
                            model::ApprovalAnswer answer) {
  SystemClock clock;
  boost::asio::io_context io;
  int own = 0;
  {
    auto store = SqliteStore::Open(file, clock);
    if (!store) ::_exit(255);
    for (const std::string& id : ids) {
      const bool approves = answer == model::ApprovalAnswer::kApprove;
      boost::asio::co_spawn(
          io, (*store)->DecideApproval(test::SampleDecision(id, approves ? "ann" : "bob", answer)),
          [&own](std::exception_ptr, Result<model::ApprovalRecord> record) {
            own += record && record->is_over() ? 1 : 0;
          });
      io.restart();
      io.run();
    }
  }
  ::_exit(own);
}

TEST_F(ApprovalStoreTest, OfTwoProcessesThatDecideAtOnceExactlyOneDoes) {
  constexpr int kCount = 40;
  SystemClock clock;
  std::vector<std::string> ids;
  {
    const auto store = OpenStore();
    for (int i = 0; i < kCount; ++i) {
      const auto request = test::SampleApproval(clock.WallNow());
      ASSERT_TRUE(Run(store->PutApproval(request)));
      ids.push_back(request.request_id);
    }
  }
  for (const auto answer : {model::ApprovalAnswer::kApprove, model::ApprovalAnswer::kDeny}) {
    if (::fork() == 0) DecideAll(file(), ids, answer);
  }
  int ends = 0;
  for (int i = 0; i < 2; ++i) {
    int status = 0;
    ASSERT_GT(::wait(&status), 0);
    ASSERT_TRUE(WIFEXITED(status));
    ends += WEXITSTATUS(status);
  }
  EXPECT_EQ(ends, kCount);
}

}  // namespace
}  // namespace falconer::store
