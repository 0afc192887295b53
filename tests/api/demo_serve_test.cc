// `falconer serve --demo` from outside: an agent buys in the demo's shop, and a person decides.

#include <csignal>

#include <gtest/gtest.h>

#include "tests/api/child_program.h"

namespace falconer::test {
namespace {

class DemoServeTest : public testing::Test {
 protected:
  DemoServeTest() : data_(TempDir::Create("falconer-demo-test-").value()) {}

  std::string Data() const { return "data.dir=" + data_.path().string(); }
  std::unique_ptr<ChildProgram> Start() const {
    return std::make_unique<ChildProgram>(
        std::vector<std::string>{"serve", "--demo", "--set", "serve.port=0", "--set",
                                 "serve.demo_pause=0ms", "--set", Data()});
  }
  Ended Say(std::vector<std::string> words) const {
    words.insert(words.begin(), "approvals");
    words.insert(words.end(), {"--set", Data()});
    return RunProgram(std::move(words));
  }
  // The purchase that waits, as the server says.
  static std::string Held(ChildProgram& server) {
    for (const std::string_view scene : {"Finding the coffee", "Three bags", "Checking out"})
      EXPECT_TRUE(server.WaitForOutput(scene)) << scene << "\n" << server.output();
    EXPECT_TRUE(server.WaitForOutput("falconer approvals approve apr_")) << server.output();
    EXPECT_TRUE(server.WaitForOutput("falconer approvals deny ")) << server.output();
    constexpr std::size_t kIdLength = 28;
    const std::size_t at = server.output().find("approve apr_");
    return at == std::string::npos ? "" : server.output().substr(at + 8, kIdLength);
  }
  static void End(ChildProgram& server) {
    server.Signal(SIGTERM);
    const Ended ended = server.Wait();
    EXPECT_EQ(ended.exit_code, 0) << ended.err;
    EXPECT_EQ(server.Survivors(), std::vector<std::string>());
    EXPECT_EQ(server.LeftBehind(), std::vector<std::string>());
  }

  TempDir data_;
};

TEST_F(DemoServeTest, GoesOnWhenAPersonApproves) {
  const auto server = Start();
  const std::string id = Held(*server);
  EXPECT_FALSE(server->output().contains("one order at the shop"));

  const Ended approved = Say({"approve", id, "--as", "ann"});

  EXPECT_EQ(approved.exit_code, 0) << approved.err;
  EXPECT_TRUE(server->WaitForOutput("one order at the shop")) << server->output();
  EXPECT_TRUE(server->WaitForOutput("nothing reached the server")) << server->output();
  EXPECT_TRUE(server->WaitForOutput("demo: over")) << server->output();
  End(*server);
}

TEST_F(DemoServeTest, ADenialLeavesNoOrder) {
  const auto server = Start();
  const std::string id = Held(*server);

  const Ended denied = Say({"deny", id, "--as", "ann", "--reason", "too much coffee"});

  EXPECT_EQ(denied.exit_code, 0) << denied.err;
  EXPECT_TRUE(server->WaitForOutput("the shop has no order")) << server->output();
  EXPECT_TRUE(server->WaitForOutput("demo: over")) << server->output();
  EXPECT_TRUE(server->output().contains("too much coffee")) << server->output();
  EXPECT_FALSE(server->output().contains("one order at the shop")) << server->output();
  End(*server);
}

TEST_F(DemoServeTest, StopsWithTheServerWhileThePurchaseWaits) {
  const auto server = Start();
  const std::string id = Held(*server);

  End(*server);

  const Ended late = Say({"approve", id, "--as", "ann"});
  EXPECT_NE(late.exit_code, 0) << "nobody waits any more";
}

}  // namespace
}  // namespace falconer::test
