// Kills a process that appends, at random moments: nothing that it was told to be durable is lost.

#include <csignal>
#include <random>
#include <sys/wait.h>
#include <unistd.h>

#include "ledger/reader.h"
#include "ledger/verifier.h"
#include "tests/support/test_chain.h"

namespace falconer::ledger {
namespace {

using namespace std::chrono_literals;

struct Told {
  std::uint64_t seq = 0;
  Sha256Digest hash{};
};

// Many appends at a time, each told over the pipe once it is answered.
Task<void> AppendForEver(ChainWriter* writer, std::uint64_t start, int pipe) {
  for (std::uint64_t i = start;; ++i) {
    const auto receipt = co_await writer->Append(test::TestChain::Record(i));
    if (!receipt) _exit(3);
    const Told told{receipt->seq, receipt->hash};
    if (::write(pipe, &told, sizeof(told)) != sizeof(told)) _exit(4);
  }
}

[[noreturn]] void RunChild(test::TestChain& chain, int pipe) {
  boost::asio::io_context io;
  const auto writer = chain.Writer();
  for (int i = 0; i < 8; ++i) {
    boost::asio::co_spawn(io,
                          AppendForEver(writer.get(), static_cast<std::uint64_t>(i) * 1000, pipe),
                          [](std::exception_ptr) {});
  }
  io.run();
  _exit(5);
}

std::vector<Told> ReadAll(int pipe, std::size_t before_kill, pid_t child) {
  std::vector<Told> all;
  Told told;
  while (::read(pipe, &told, sizeof(told)) == static_cast<ssize_t>(sizeof(told))) {
    all.push_back(told);
    if (all.size() == before_kill) ::kill(child, SIGKILL);
  }
  return all;
}

TEST(ChainCrashTest, NothingThatWasAnsweredIsLostWhenTheProcessIsKilled) {
  test::TestChain chain;
  chain.options.segment_bytes = 16 << 10;
  chain.options.checkpoint_records = 37;
  std::mt19937 random(20);
  std::uint64_t last = 0;
  for (int round = 0; round < 50; ++round) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) RunChild(chain, ends[1]);
    ::close(ends[1]);
    const std::vector<Told> told = ReadAll(ends[0], 1 + random() % 60, child);
    ::close(ends[0]);
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << WEXITSTATUS(status);

    // Opening recovers; the record that opening needed proves that it worked.
    const auto receipt = chain.Run(chain.Writer()->Append(test::TestChain::Record(0)));
    ASSERT_TRUE(receipt) << receipt.error().message();
    auto reader = ChainReader::Open(chain.Paths().folder).value();
    for (const Told& one : told) {
      const auto record = reader.At(one.seq);
      ASSERT_TRUE(record) << "record " << one.seq << " was durable: " << record.error().message();
      EXPECT_EQ(record->view().hash, one.hash);
      EXPECT_GT(one.seq, last);
    }
    last = receipt->seq;
    chain.known = chain.head;
  }
  const auto report = VerifyChain({.folder = chain.Paths().folder,
                                   .tenant = chain.tenant,
                                   .keys = {chain.key.public_key()},
                                   .head = chain.head});
  ASSERT_TRUE(report);
  for (const Finding& finding : report->findings) {
    ADD_FAILURE() << json::serialize(finding.ToJson());
  }
  EXPECT_EQ(report->records, last);
}

}  // namespace
}  // namespace falconer::ledger
