#include "tests/fault/worker.h"

#include <csignal>
#include <cstdlib>
#include <thread>

#include <gtest/gtest.h>

#include "ledger/chain_paths.h"
#include "ledger/record.h"
#include "ledger/signing_key.h"
#include "ledger/verifier.h"

namespace falconer::test {
namespace {

const TenantId kTenant("local");
// A browser notices that its pipe is closed; on a busy machine that takes a moment.
constexpr std::chrono::seconds kTimeToEnd(20);
constexpr std::chrono::milliseconds kLookAgain(10);

}  // namespace

WorkerHome::WorkerHome() : data_(TempDir::Create("falconer-fault-test-").value()) {
}

std::unique_ptr<ChildProgram> WorkerHome::Start(const std::string& kill,
                                                const std::vector<std::string>& contracts) const {
  std::string lines;
  for (const std::string& contract : contracts) lines += contract + "\n";
  const auto file = data() / "contracts.jsonl";
  EXPECT_TRUE(WriteFileAtomic(file, lines));
  return std::make_unique<ChildProgram>(std::vector<std::string>{
      kill, file.string(), "data.dir=" + data().string(), "policy.allow_domains=127.0.0.1",
      "leases.ttl=1s", "ledger.segment_bytes=1MiB", "ledger.checkpoint_records=10"});
}

std::vector<json::object> WorkerHome::Run(const std::string& kill,
                                          const std::vector<std::string>& contracts) const {
  const auto worker = Start(kill, contracts);
  const Ended ended = worker->Wait();
  EXPECT_EQ(ended.exit_code, kill == "never" ? EXIT_SUCCESS : 128 + SIGKILL) << ended.err;
  EXPECT_TRUE(LeavesNobody(*worker));
  return AnswersIn(ended.out);
}

std::string WorkerHome::LedgerTrouble(LedgerEnd end) const {
  const auto paths = ledger::ChainPaths::Of(data(), kTenant);
  const auto key = ledger::PublicKey::Load(ledger::SigningKey::PublicKeyPath(data()));
  // Killed before there was anything to sign.
  if (!key) return key.error().code() == ErrorCode::kNotFound ? "" : Describe(key.error());
  auto report = ledger::VerifyChain({.folder = paths.folder,
                                     .tenant = kTenant,
                                     .keys = {*key},
                                     .unsigned_tail = ledger::UnsignedTail::kAllowed});
  if (!report) return report.error().code() == ErrorCode::kNotFound ? "" : Describe(report.error());
  if (end == LedgerEnd::kMayBeTorn) {
    std::erase_if(report->findings, [&](const ledger::Finding& finding) {
      return finding.kind == ledger::FindingKind::kBadFraming &&
             finding.seq == report->last_seq + 1 &&
             finding.detail == ledger::FrameFaultText(ledger::FrameFault::kIncomplete);
    });
  }
  return report->is_clean() ? "" : json::serialize(report->ToJson());
}

bool LeavesNobody(const ChildProgram& worker) {
  const auto until = std::chrono::steady_clock::now() + kTimeToEnd;
  while (!worker.Survivors().empty()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(kLookAgain);
  }
  return true;
}

std::vector<json::object> AnswersIn(const std::string& out) {
  std::vector<json::object> answers;
  for (std::size_t start = 0, end = 0; (end = out.find('\n', start)) != std::string::npos;
       start = end + 1) {
    auto answer = ParseJsonObject(out.substr(start, end - start));
    EXPECT_TRUE(answer) << out.substr(start, end - start);
    if (answer) answers.push_back(*std::move(answer));
  }
  return answers;
}

}  // namespace falconer::test
