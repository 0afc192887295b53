#include "store/workflow_store.h"

#include "tests/support/store_bench.h"

namespace falconer::store {
namespace {

using test::Finish;

const TenantId kShopTenant("shop");
const TenantId kOther("other");

WorkflowDocument VersionOf(std::int64_t version, std::string name = "buy") {
  return {.name = std::move(name),
          .version = version,
          .document = "{\"version\":" + std::to_string(version) + "}",
          .updated_ms = 1000 + version};
}

RecordingDocument RecordingAt(std::int64_t at, std::string workflow = "buy") {
  return {.id = "rec_" + std::to_string(at),
          .workflow = std::move(workflow),
          .document = "{}",
          .recorded_ms = at};
}

IntentDocument IntentAt(std::int64_t at, std::string key) {
  return {.key = std::move(key), .version = 1, .document = "{}", .used_ms = at};
}

class WorkflowStoreTest : public test::StoreBench {
 protected:
  static void Put(SqliteStore& store, WorkflowDocument workflow) {
    const auto put = Finish(store.PutWorkflow(kShopTenant, std::move(workflow)));
    EXPECT_TRUE(put) << put.error().message();
  }
  static std::vector<std::string> RecordingsOf(SqliteStore& store, std::string workflow = "buy") {
    std::vector<std::string> ids;
    for (const RecordingDocument& one :
         *Finish(store.ListRecordings(kShopTenant, std::move(workflow))))
      ids.push_back(one.id);
    return ids;
  }
};

TEST_F(WorkflowStoreTest, KeepsTheNewestVersionAlsoAfterReopening) {
  {
    const auto store = OpenStore();
    Put(*store, VersionOf(1));
    Put(*store, VersionOf(2));
  }
  const auto store = OpenStore();
  EXPECT_EQ(*Finish(store->FindWorkflow(kShopTenant, "buy")), VersionOf(2));
  EXPECT_EQ(*Finish(store->FindWorkflow(kShopTenant, "sell")), std::nullopt);
}

TEST_F(WorkflowStoreTest, RefusesEveryVersionButTheNext) {
  const auto store = OpenStore();
  Put(*store, VersionOf(1));
  for (const std::int64_t version : {-1, 0, 1, 3}) {
    const auto put = Finish(store->PutWorkflow(kShopTenant, VersionOf(version)));
    ASSERT_FALSE(put) << version;
    EXPECT_EQ(put.error().code(), ErrorCode::kAlreadyExists);
  }
  const auto put = Finish(store->PutWorkflow(kShopTenant, VersionOf(2, "sell")));
  EXPECT_EQ(put.error().message(), "the next version of workflow sell is 1, not 2");
  EXPECT_EQ(*Finish(store->FindWorkflow(kShopTenant, "buy")), VersionOf(1));
}

TEST_F(WorkflowStoreTest, OfSeveralWhoPutTheSameVersionOneIsFirst) {
  const int first = Race(16, [](SqliteStore& store) {
    return Finish(store.PutWorkflow(kShopTenant, VersionOf(1))).has_value();
  });
  EXPECT_EQ(first, 1);
}

TEST_F(WorkflowStoreTest, ListsWorkflowsOfATenantByName) {
  const auto store = OpenStore();
  Put(*store, VersionOf(1, "log-in"));
  Put(*store, VersionOf(1, "buy"));
  ASSERT_TRUE(Finish(store->PutWorkflow(kOther, VersionOf(1, "another"))));
  EXPECT_EQ(*Finish(store->ListWorkflows(kShopTenant)),
            (std::vector{VersionOf(1, "buy"), VersionOf(1, "log-in")}));
}

TEST_F(WorkflowStoreTest, DropsAWorkflowWithItsRecordings) {
  const auto store = OpenStore();
  Put(*store, VersionOf(1));
  for (const char* workflow : {"buy", "log-in"}) {
    const std::int64_t at = workflow == std::string_view("buy") ? 1 : 2;
    ASSERT_TRUE(Finish(store->PutRecording(kShopTenant, RecordingAt(at, workflow), 8)));
  }

  ASSERT_TRUE(Finish(store->DropWorkflow(kShopTenant, "buy")));

  EXPECT_EQ(*Finish(store->FindWorkflow(kShopTenant, "buy")), std::nullopt);
  EXPECT_TRUE(RecordingsOf(*store).empty());
  EXPECT_EQ(RecordingsOf(*store, "log-in").size(), 1U) << "those of others stay";
  EXPECT_EQ(Finish(store->DropWorkflow(kShopTenant, "buy")).error().code(), ErrorCode::kNotFound);
  Put(*store, VersionOf(1));
}

TEST_F(WorkflowStoreTest, KeepsTheNewestRecordingsOldestFirst) {
  const auto store = OpenStore();
  for (const std::int64_t at : {3, 1, 4, 2})
    ASSERT_TRUE(Finish(store->PutRecording(kShopTenant, RecordingAt(at), 3)));
  EXPECT_EQ(RecordingsOf(*store), (std::vector<std::string>{"rec_2", "rec_3", "rec_4"}));
  ASSERT_TRUE(Finish(store->PutRecording(kOther, RecordingAt(9), 1)));
  EXPECT_EQ(RecordingsOf(*store).size(), 3U) << "a tenant's bound is its own";
}

TEST_F(WorkflowStoreTest, KeepsTheAnswersThatWereUsedLast) {
  const auto store = OpenStore();
  for (const char* key : {"a", "b", "c"})
    ASSERT_TRUE(Finish(store->PutIntent(kShopTenant, IntentAt(1, key), 3)));
  ASSERT_TRUE(Finish(store->PutIntent(kShopTenant, IntentAt(5, "a"), 3)));
  ASSERT_TRUE(Finish(store->PutIntent(kShopTenant, IntentAt(4, "d"), 2)));

  EXPECT_TRUE(Finish(store->FindIntent(kShopTenant, "a"))->has_value());
  EXPECT_TRUE(Finish(store->FindIntent(kShopTenant, "d"))->has_value());
  EXPECT_FALSE(Finish(store->FindIntent(kShopTenant, "b"))->has_value());
  EXPECT_FALSE(Finish(store->FindIntent(kOther, "a"))->has_value());
}

TEST_F(WorkflowStoreTest, AnAnswerIsReplacedAndDropped) {
  const auto store = OpenStore();
  IntentDocument intent = IntentAt(1, "a");
  ASSERT_TRUE(Finish(store->PutIntent(kShopTenant, intent, 8)));
  intent.version = 2;
  intent.document = "{\"hits\":1}";
  ASSERT_TRUE(Finish(store->PutIntent(kShopTenant, intent, 8)));
  const auto found = *Finish(store->FindIntent(kShopTenant, "a"));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->version, 2);
  EXPECT_EQ(found->document, intent.document);
  ASSERT_TRUE(Finish(store->DropIntent(kShopTenant, "a")));
  EXPECT_FALSE(Finish(store->FindIntent(kShopTenant, "a"))->has_value());
}

}  // namespace
}  // namespace falconer::store
