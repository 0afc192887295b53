#include "app/replay/replay_command.h"

#include <algorithm>

#include "tests/support/command_bench.h"
#include "tests/support/turn_story.h"

namespace falconer::app {
namespace {

using test::Printed;
using test::StoryChain;
using test::TurnStory;

Printed Replay(StoryChain& chain, std::vector<std::string> words) {
  chain.Close();
  words.insert(words.begin(), "replay");
  return test::RunCommand(std::move(words), chain.chain.folder.path());
}

TEST(ReplayCommandTest, SaysOkForATurnThatIsReproduced) {
  StoryChain chain;
  const TurnStory story;
  chain.Write(story);

  const Printed text = Replay(chain, {story.turn.value()});
  EXPECT_EQ(text.code, kExitOk) << text.all();
  EXPECT_TRUE(text.out.contains("  ok        gate.domain: admit allowed_by_rule\n")) << text.out;
  EXPECT_TRUE(text.out.contains("turn_id s1.t000001: ok")) << text.out;

  const Printed answer = Replay(chain, {"r1", "--json"});
  EXPECT_EQ(answer.code, kExitOk) << answer.all();
  const auto parsed = ParseJsonObject(answer.out);
  ASSERT_TRUE(parsed) << answer.out;
  EXPECT_EQ(parsed->at("ok"), true);
  EXPECT_EQ(parsed->at("status").as_string(), "reproduced");
}

TEST(ReplayCommandTest, ExplainsADivergence) {
  StoryChain chain;
  TurnStory story;
  story.closed["end"] = json::object{{"outcome", "abort"}};
  chain.Write(story);

  const Printed text = Replay(chain, {"r1"});
  EXPECT_EQ(text.code, kExitFailed);
  EXPECT_TRUE(text.out.contains("DIVERGED  end: OUTCOME: recorded ")) << text.out;
  EXPECT_EQ(Replay(chain, {"r1", "--expect", "OUTCOME:end"}).code, kExitOk);
  EXPECT_EQ(Replay(chain, {"r1", "--json", "--expect", "PLAN:plan"}).code, kExitFailed);
}

TEST(ReplayCommandTest, MissingEvidenceHasAnExitCodeOfItsOwn) {
  StoryChain chain;
  TurnStory story;
  story.opened.erase("resolved_plan");
  chain.Write(story);

  const Printed text = Replay(chain, {"r1"});
  EXPECT_EQ(text.code, 3);
  EXPECT_TRUE(text.out.contains("MISSING   plan: the plan is not on record")) << text.out;
  const Printed nobody = Replay(chain, {"nobody"});
  EXPECT_EQ(nobody.code, 3);
  EXPECT_TRUE(nobody.err.contains("NOT_FOUND")) << nobody.err;
}

TEST(ReplayCommandTest, RefusesWordsThatMakeNoSense) {
  StoryChain chain;
  chain.Write(TurnStory());
  EXPECT_EQ(Replay(chain, {}).code, kExitUsage);
  EXPECT_EQ(Replay(chain, {""}).code, kExitUsage);
  EXPECT_EQ(Replay(chain, {"r1", "--expect", "AUTHORITY:gate.lease"}).code, kExitUsage);
  EXPECT_EQ(Replay(chain, {"r1", "--tenant", "nobody"}).code, 3);
}

TEST(ReplayCommandTest, EveryStatusHasAnExitCode) {
  for (const auto& [status, name] : engine::kReplayStatuses) {
    const bool is_there = std::ranges::any_of(
        kReplayExits, [&](const ReplayExit& row) { return row.status == status; });
    EXPECT_TRUE(is_there) << name;
  }
}

}  // namespace
}  // namespace falconer::app
