#include "app/kill/evidence.h"

#include <fstream>
#include <thread>

#include "ledger/archive.h"
#include "ledger/ledger.h"
#include "ledger/verifier.h"
#include "tests/support/store_bench.h"

namespace falconer::app {
namespace {

namespace fs = std::filesystem;
using test::Finish;

// Takes nothing out.
class PlainScrubber final : public ledger::Scrubber {
 public:
  void Scrub(json::object& /*payload*/) const override {}
};

class EvidenceTest : public testing::Test {
 protected:
  EvidenceTest()
      : folder_(TempDir::Create("falconer-evidence-test-").value()),
        store_(store::SqliteStore::Open(folder_.path() / "control.db", clock_).value()) {}

  fs::path data() const { return folder_.path() / "data"; }
  std::unique_ptr<ledger::Ledger> OpenLedger() {
    fs::create_directories(data());
    // Small segments, so that there are several.
    return ledger::Ledger::Open(data(), *store_, scrubber_, clock_, {.segment_bytes = 4096})
        .value();
  }
  static void Append(ledger::Ledger& ledger, const std::string& tenant, int count) {
    for (int i = 0; i < count; ++i) {
      const json::object payload{{"number", i}, {"text", std::string(200, 'x')}};
      const auto receipt = Finish(ledger.Append(
          TenantId(tenant), {.kind = ledger::RecordKind::kDecision, .payload = payload}));
      ASSERT_TRUE(receipt) << receipt.error().message();
    }
  }
  json::object Export(const std::string& name) {
    const auto key = ledger::SigningKey::LoadOrCreate(data()).value();
    auto answer =
        ExportEvidence({data(), folder_.path() / name, "incident", "ann"}, key, clock_.WallNow());
    EXPECT_TRUE(answer) << answer.error().message();
    return answer.value_or(json::object());
  }
  static json::object ChainIn(const json::object& answer, std::string_view tenant) {
    for (const json::value& chain : answer.at("chains").as_array()) {
      if (TextAt(chain.as_object(), "tenant") == tenant) return chain.as_object();
    }
    return {};
  }

  SystemClock clock_;
  TempDir folder_;
  PlainScrubber scrubber_;
  std::unique_ptr<store::SqliteStore> store_;
};

TEST_F(EvidenceTest, SegmentsThatWereArchivedAreBackInTheCopy) {
  {
    const auto ledger = OpenLedger();
    Append(*ledger, "acme", 60);
  }
  const auto key = ledger::SigningKey::LoadOrCreate(data()).value();
  const auto paths = ledger::ChainPaths::Of(data(), TenantId("acme"));
  const auto moved = ledger::ArchiveChain(paths, key, folder_.path() / "archive");
  ASSERT_TRUE(moved) << moved.error().message();
  ASSERT_FALSE(moved->empty());

  const json::object answer = Export("out");

  EXPECT_TRUE(IsTrueAt(answer, "complete")) << json::serialize(answer);
  EXPECT_EQ(ChainIn(answer, "acme").at("records"), 60);
  const auto copied = ledger::ChainPaths::Of(folder_.path() / "out", TenantId("acme"));
  const auto report = ledger::VerifyChain({.folder = copied.folder, .keys = {key.public_key()}});
  ASSERT_TRUE(report);
  EXPECT_TRUE(report->is_clean());
  EXPECT_EQ(report->first_seq, 1U);
}

TEST_F(EvidenceTest, WhatIsWrittenMeanwhileIsWholeUpToARecord) {
  const auto ledger = OpenLedger();
  Append(*ledger, "acme", 20);
  std::jthread writer([&ledger](const std::stop_token& stop) {
    while (!stop.stop_requested()) Append(*ledger, "acme", 1);
  });
  std::uint64_t last = 19;
  for (const char* name : {"one", "two", "three"}) {
    const json::object answer = Export(name);
    EXPECT_TRUE(IsTrueAt(answer, "complete")) << json::serialize(answer);
    const auto seq = ChainIn(answer, "acme").at("last_seq").to_number<std::uint64_t>();
    EXPECT_GT(seq, last);
    last = seq;
  }
}

TEST_F(EvidenceTest, ADamagedChainIsSavedAsItIsAndSaidToBe) {
  {
    const auto ledger = OpenLedger();
    Append(*ledger, "acme", 3);
    Append(*ledger, "other", 3);
  }
  const auto segment = ledger::ChainPaths::Of(data(), TenantId("acme")).segment(1);
  {
    std::fstream file(segment, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(200);
    file.put('!');
  }
  const json::object answer = Export("out");
  EXPECT_FALSE(IsTrueAt(answer, "complete"));
  EXPECT_GT(ChainIn(answer, "acme").at("findings").to_number<std::uint64_t>(), 0U);
  EXPECT_EQ(ChainIn(answer, "other").at("findings"), 0);
}

TEST_F(EvidenceTest, WithoutALedgerThereIsOnlyTheKey) {
  fs::create_directories(data());
  const json::object answer = Export("out");
  EXPECT_TRUE(IsTrueAt(answer, "complete"));
  EXPECT_EQ(answer.at("files"), 1);
}

}  // namespace
}  // namespace falconer::app
