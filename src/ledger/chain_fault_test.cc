// A disk that fails at every call of the ledger in turn, in every way: whoever was refused is told
// so by IO_ERROR and leaves nothing, whoever was answered is there, and the chain goes on.

#include <cerrno>
#include <csignal>
#include <map>
#include <set>
#include <sys/resource.h>

#include "ledger/reader.h"
#include "ledger/verifier.h"
#include "tests/support/faulty_layer.h"
#include "tests/support/test_chain.h"

namespace falconer::ledger {
namespace {

struct FaultRow {
  const char* name;
  test::Fault fault;
};

constexpr FaultRow kFaults[] = {
    {"disk full, once", {.error = ENOSPC}},
    {"disk full in the middle of a write", {.error = ENOSPC, .writes_half = true}},
    {"disk full for a while", {.error = ENOSPC, .times = 4}},
    {"I/O error, once", {.error = EIO}},
    {"I/O error in the middle of a write", {.error = EIO, .writes_half = true}},
    {"I/O error for a while", {.error = EIO, .times = 7}},
};

class ChainFaultTest : public testing::Test {
 protected:
  // A chain whose every few records begin a segment and sign a checkpoint.
  struct Run {
    Run() {
      chain.options.segment_bytes = 700;
      chain.options.checkpoint_records = 2;
      chain.layer = &layer;
    }
    test::TestChain chain;
    test::FaultyLayer layer;
    std::map<std::uint64_t, std::uint64_t> answered;  // number to seq
    std::set<std::uint64_t> refused;
  };

  static void Append(Run& run, ChainWriter& writer, std::uint64_t number) {
    const auto receipt = run.chain.Run(writer.Append(test::TestChain::Record(number)));
    if (receipt) {
      run.answered[number] = receipt->seq;
      return;
    }
    EXPECT_EQ(receipt.error().code(), ErrorCode::kIoError) << receipt.error().message();
    run.refused.insert(number);
  }
  static void CheckChain(Run& run) {
    const auto report = VerifyChain({.folder = run.chain.Paths().folder,
                                     .tenant = run.chain.tenant,
                                     .keys = {run.chain.key.public_key()},
                                     .head = run.chain.head});
    ASSERT_TRUE(report) << report.error().message();
    for (const Finding& finding : report->findings) {
      ADD_FAILURE() << json::serialize(finding.ToJson());
    }
    auto reader = ChainReader::Open(run.chain.Paths().folder).value();
    std::map<std::uint64_t, std::uint64_t> found;
    for (std::uint64_t seq = 1; seq <= report->records; ++seq) {
      const auto record = reader.At(seq).value();
      if (record.view().fields.kind == RecordKind::kRecovery) continue;
      const auto payload = ParseJsonObject(record.view().fields.payload).value();
      found[payload.at("number").to_number<std::uint64_t>()] = seq;
    }
    EXPECT_EQ(found, run.answered);
  }
};

TEST_F(ChainFaultTest, EveryCallMayFailInEveryWay) {
  for (const FaultRow& row : kFaults) {
    int refusals = 0;
    for (int call = 1;; ++call) {
      SCOPED_TRACE(std::string(row.name) + " at call " + std::to_string(call));
      Run run;
      run.layer.FailAt(call, row.fault);
      {
        const auto writer = run.chain.Writer();
        for (std::uint64_t i = 1; i <= 8; ++i) Append(run, *writer, i);
        run.layer.Heal();
        for (std::uint64_t i = 9; i <= 12; ++i) Append(run, *writer, i);
        EXPECT_TRUE(run.answered.contains(12)) << "there is space again";
      }
      CheckChain(run);
      refusals += static_cast<int>(run.refused.size());
      if (HasFailure() || !run.layer.has_failed()) {
        EXPECT_GT(call, 20) << "the script makes more calls than that";
        break;
      }
    }
    EXPECT_GT(refusals, 5) << row.name;
  }
}

// The system's own full disk, also for what does not go through the layer: indexes, kept ends.
TEST_F(ChainFaultTest, GoesOnWhenFilesMayGrowAgain) {
  Run run;
  run.chain.options.segment_bytes = 1U << 20U;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  {
    const auto writer = run.chain.Writer();
    for (std::uint64_t i = 1; i <= 10; ++i) Append(run, *writer, i);
    const auto size = std::filesystem::file_size(run.chain.Paths().segment(1));
    const rlimit small{size + 50, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    for (std::uint64_t i = 11; i <= 13; ++i) Append(run, *writer, i);
    EXPECT_EQ(std::filesystem::file_size(run.chain.Paths().segment(1)), size);
    setrlimit(RLIMIT_FSIZE, &before);
    for (std::uint64_t i = 14; i <= 20; ++i) Append(run, *writer, i);
  }
  EXPECT_EQ(run.refused, (std::set<std::uint64_t>{11, 12, 13}));
  CheckChain(run);
}

}  // namespace
}  // namespace falconer::ledger
