#include "ledger/ledger.h"

#include "base/file.h"
#include "base/hex.h"
#include "ledger/action_catch_up.h"
#include "ledger/reader.h"
#include "ledger/verifier.h"
#include "store/sqlite_store.h"
#include "tests/support/run_task.h"

namespace falconer::ledger {
namespace {

using namespace std::chrono_literals;

// Stands for what knows the secrets in use.
class NoPasswords final : public Scrubber {
 public:
  void Scrub(json::object& payload) const override {
    for (auto& [key, value] : payload) {
      if (json::object* object = value.if_object()) Scrub(*object);
      if (key == "password") value = "[taken out]";
    }
  }
};

class LedgerTest : public testing::Test {
 protected:
  LedgerTest()
      : folder_(TempDir::Create("falconer-ledger-test-").value()),
        store_(store::SqliteStore::Open(folder_.path() / "control.db", clock_).value()) {
    Open();
  }

  void Open() {
    auto opened = Ledger::Open(folder_.path(), *store_, scrubber_, clock_);
    ASSERT_TRUE(opened) << opened.error().message();
    ledger_ = *std::move(opened);
  }
  // Heads are written behind.
  void AwaitHead(const TenantId& tenant, std::uint64_t seq) {
    const auto deadline = std::chrono::steady_clock::now() + 20s;
    while (std::chrono::steady_clock::now() < deadline) {
      const auto head = Run(store_->GetHead(tenant.value()));
      if (head && *head && (*head)->seq >= seq) return;
    }
    FAIL() << "the store never heard of record " << seq;
  }
  template <typename T>
  T Run(Task<T> task) {
    return test::RunTask(io_, std::move(task));
  }

  boost::asio::io_context io_;
  SystemClock clock_;
  TempDir folder_;
  NoPasswords scrubber_;
  std::unique_ptr<store::SqliteStore> store_;
  std::unique_ptr<Ledger> ledger_;
};

TEST_F(LedgerTest, TellsHowFarBehindItIs) {
  EXPECT_EQ(ledger_->lag().waiting, 0U);
  ASSERT_TRUE(Run(ledger_->Append(TenantId("a"), {RecordKind::kDecision, {}})));
  ASSERT_FALSE(Run(ledger_->Append(
      TenantId("a"), {RecordKind::kDecision, {{"big", std::string(kMaxRecordBytes, 'x')}}})));
  const LedgerLag lag = ledger_->lag();
  EXPECT_EQ(lag.waiting, 0U);
  EXPECT_EQ(lag.oldest, Duration());
  EXPECT_EQ(lag.took.count(), 1U) << "only what became durable took its time";
  EXPECT_GT(lag.took.sum(), 0);
}

TEST_F(LedgerTest, KeepsAChainPerTenantAndTellsTheStore) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(Run(ledger_->Append(TenantId("a/b"), {RecordKind::kDecision, {{"i", i}}})));
  }
  const auto other = Run(ledger_->Append(TenantId("a_b"), {RecordKind::kDecision, {}}));
  ASSERT_TRUE(other);
  EXPECT_EQ(other->seq, 1U);
  ledger_.reset();
  store_.reset();

  store_ = store::SqliteStore::Open(folder_.path() / "control.db", clock_).value();
  EXPECT_EQ((*Run(store_->GetHead("a/b")))->seq, 3U);
  EXPECT_EQ((*Run(store_->GetHead("a_b")))->record_hash, other->hash);
  EXPECT_EQ(ListChains(folder_.path()), (std::vector<TenantId>{TenantId("a/b"), TenantId("a_b")}));
}

TEST_F(LedgerTest, WritesNoSecretToTheDisk) {
  const RecordInput input{
      RecordKind::kTurnClosed,
      {{"fields", {{"password", "hunter2"}, {"user", "me"}}}, {"token_jti", "j1"}}};
  ASSERT_TRUE(Run(ledger_->Append(TenantId("t"), input)));

  const auto bytes = ReadFile(ChainPaths::Of(folder_.path(), TenantId("t")).segment(1)).value();
  EXPECT_FALSE(bytes.contains("hunter2"));
  EXPECT_TRUE(bytes.contains("[taken out]"));
  EXPECT_TRUE(bytes.contains("j1"));
}

TEST_F(LedgerTest, RefusesPayloadsThatNoRecordCanHold) {
  const RecordInput huge{RecordKind::kDecision, {{"x", std::string(kMaxRecordBytes, 'x')}}};
  EXPECT_EQ(Run(ledger_->Append(TenantId("t"), huge)).error().code(), ErrorCode::kInvalidArgument);
  const RecordInput odd{RecordKind::kDecision, {{"x", "\xff"}}};
  EXPECT_EQ(Run(ledger_->Append(TenantId("t"), odd)).error().code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(Run(ledger_->Append(TenantId("t"), {RecordKind::kDecision, {}}))->seq, 1U);
}

TEST_F(LedgerTest, CatchesTheIndexOfActionsUpWithTheChain) {
  const TenantId tenant("t");
  const auto append = [&](RecordKind kind, int action) {
    const json::object payload{{"workflow", "w"},
                               {"action_hash", Sha256Hex(std::to_string(action))},
                               {"turn_id", "turn" + std::to_string(action)}};
    ASSERT_TRUE(Run(ledger_->Append(tenant, {kind, payload})));
  };
  for (int i = 0; i < 3; ++i) append(RecordKind::kTurnOpened, i);
  append(RecordKind::kTurnClosed, 1);
  append(RecordKind::kRefusal, 7);
  ASSERT_TRUE(Run(ledger_->Append(tenant, {RecordKind::kTurnClosed, {{"odd", 1}}})));
  const auto folder = ChainPaths::Of(folder_.path(), tenant).folder;
  AwaitHead(tenant, 6);

  EXPECT_EQ(Run(CatchUpActions(store_.get(), folder, tenant)), 6U);

  const auto find = [&](int action) {
    return *Run(store_->FindAction({tenant, "w", Sha256Of(std::to_string(action))}));
  };
  EXPECT_EQ(find(0)->state, store::ActionState::kOpen);
  EXPECT_EQ(find(1)->state, store::ActionState::kTerminal);
  EXPECT_EQ(find(1)->seq, 4U);
  EXPECT_FALSE(find(7));
  append(RecordKind::kTurnClosed, 2);
  AwaitHead(tenant, 7);
  EXPECT_EQ(Run(CatchUpActions(store_.get(), folder, tenant)), 7U);
  EXPECT_EQ(find(2)->state, store::ActionState::kTerminal);
  EXPECT_EQ(Run(CatchUpActions(store_.get(), folder, tenant)), 7U);
}

TEST_F(LedgerTest, CatchingUpClaimsNothingThatMayYetBeCutOff) {
  const TenantId tenant("t");
  const json::object payload{
      {"workflow", "w"}, {"action_hash", Sha256Hex("a")}, {"turn_id", "turn"}};
  ASSERT_TRUE(Run(ledger_->Append(tenant, {RecordKind::kTurnOpened, payload})));
  ledger_.reset();
  store_.reset();
  // As when the store has not heard of the record yet.
  std::filesystem::remove(folder_.path() / "control.db");
  store_ = store::SqliteStore::Open(folder_.path() / "control.db", clock_).value();

  const auto folder = ChainPaths::Of(folder_.path(), tenant).folder;
  EXPECT_EQ(Run(CatchUpActions(store_.get(), folder, tenant)), 0U);

  EXPECT_EQ(Run(store_->IndexedSeq("t")), 0U);
  EXPECT_TRUE(Run(store_->FindAction({tenant, "w", Sha256Of("a")}))->has_value())
      << "what is known is put all the same";
}

TEST_F(LedgerTest, TwoLedgersOfOneFolderShareAChainAndItsHead) {
  const TenantId tenant("t");
  const auto store = store::SqliteStore::Open(folder_.path() / "control.db", clock_).value();
  auto other = Ledger::Open(folder_.path(), *store, scrubber_, clock_).value();
  for (std::uint64_t i = 1; i <= 30; ++i) {
    Ledger& ledger = i % 2 == 0 ? *ledger_ : *other;
    const auto receipt = Run(ledger.Append(tenant, {RecordKind::kDecision, {{"i", i}}}));
    ASSERT_TRUE(receipt) << receipt.error().message();
    EXPECT_EQ(receipt->seq, i);
  }
  AwaitHead(tenant, 30);
  ledger_.reset();
  other.reset();
  const auto report = VerifyChain({.folder = ChainPaths::Of(folder_.path(), tenant).folder,
                                   .tenant = tenant,
                                   .keys = {SigningKey::LoadOrCreate(folder_.path())->public_key()},
                                   .head = *Run(store_->GetHead("t"))});
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->is_clean()) << json::serialize(report->ToJson());
  Open();
  EXPECT_EQ(Run(ledger_->Append(tenant, {RecordKind::kDecision, {}}))->seq, 31U);
}

TEST_F(LedgerTest, KnowsByTheStoreThatAChainWasCut) {
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(Run(ledger_->Append(TenantId("t"), {RecordKind::kDecision, {{"i", i}}})));
  }
  ASSERT_EQ(Run(ledger_->AddCheckpoint(TenantId("t")))->size(), 3U);
  ledger_.reset();
  std::filesystem::remove_all(ChainPaths::Of(folder_.path(), TenantId("t")).folder);
  store_.reset();
  store_ = store::SqliteStore::Open(folder_.path() / "control.db", clock_).value();
  Open();

  const auto refused = Run(ledger_->Append(TenantId("t"), {RecordKind::kDecision, {}}));

  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code(), ErrorCode::kLedgerDamaged) << refused.error().message();
}

}  // namespace
}  // namespace falconer::ledger
