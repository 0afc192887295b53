#pragma once
// TestChain: a small ledger chain on a real disk, for tests of the ledger and of what reads it.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <boost/asio/io_context.hpp>

#include "base/async/fake_clock.h"
#include "base/file.h"
#include "base/json/canonical_json.h"
#include "ledger/chain_writer.h"
#include "tests/support/run_task.h"

namespace falconer::test {

class TestChain {
 public:
  explicit TestChain(std::string tenant = "acme")
      : folder(TempDir::Create("falconer-ledger-test-").value()),
        tenant(std::move(tenant)),
        key(ledger::SigningKey::LoadOrCreate(folder.path()).value()) {}

  ledger::ChainPaths Paths() const { return ledger::ChainPaths::Of(folder.path(), tenant); }
  std::filesystem::path KeyPath() const { return ledger::SigningKey::PublicKeyPath(folder.path()); }

  std::unique_ptr<ledger::ChainWriter> Writer() {
    return std::make_unique<ledger::ChainWriter>(
        ledger::ChainWriterInput{.paths = Paths(),
                                 .tenant = tenant,
                                 .known = known,
                                 .on_head = [this](store::ChainHead h) { head = std::move(h); }},
        options, key, clock, layer == nullptr ? plain : *layer);
  }

  static ledger::PreparedRecord Record(std::uint64_t number) {
    const json::object payload{{"turn_id", "turn_" + std::to_string(number)},
                               {"workflow", number % 2 == 0 ? "even" : "odd"},
                               {"agent", "agent_" + std::to_string(number % 3)},
                               {"action_id", "act_" + std::to_string(number)},
                               {"number", number}};
    return {ledger::RecordKind::kTurnClosed, CanonicalJson(payload).value()};
  }

  // One call to its end.
  template <typename T>
  T Run(Task<T> task) {
    return RunTask(io, std::move(task));
  }

  // Appends records one after the other and closes the chain.
  void Fill(std::uint64_t count) {
    const auto writer = Writer();
    for (std::uint64_t i = 1; i <= count; ++i) {
      const auto receipt = Run(writer->Append(Record(i)));
      ASSERT_TRUE(receipt) << receipt.error().message();
    }
  }

  TempDir folder;
  TenantId tenant;
  ledger::SigningKey key;
  ledger::ChainOptions options;
  FakeClock clock;
  ledger::FileLayer plain;
  ledger::FileLayer* layer = nullptr;
  std::optional<store::ChainHead> known;  // what the control store would remember
  std::optional<store::ChainHead> head;   // what the writer told last
  boost::asio::io_context io;
};

}  // namespace falconer::test
