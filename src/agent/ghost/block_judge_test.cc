// The table from facts to signals. How well it tells real pages apart is measured in
// tests/agent/ghost.
#include "agent/ghost/block_judge.h"

#include <set>

#include <gtest/gtest.h>

namespace falconer::agent {
namespace {

// A page with much to read.
BlockFacts Article() {
  return {.title = "Harvest",
          .status = 200,
          .chars = 2400,
          .words = 400,
          .html_chars = 9000,
          .links = 30,
          .scripts = 4};
}

// One that says little.
BlockFacts Little() {
  return {.title = "x", .status = 200, .chars = 90, .words = 14, .html_chars = 900};
}

BlockFacts Marked(BlockFacts facts, BlockMark mark) {
  facts.marks.push_back(std::move(mark));
  return facts;
}

BlockFacts Telling(BlockFacts facts, Saying what) {
  facts.says.push_back(what);
  return facts;
}

BlockFacts EmptyShell() {
  BlockFacts facts = Little();
  facts.mount = Mount::kEmpty;
  return facts;
}

BlockFacts Form(BlockFacts facts, std::int64_t fields) {
  facts.fields = fields;
  return facts;
}

BlockFacts GoingOn(BlockFacts facts) {
  facts.refreshes = true;
  return facts;
}

BlockMark Widget(Wall wall) {
  return {.wall = wall, .name = "widget", .is_widget = true, .share = 0.02};
}

BlockMark Stone(Wall wall, double share = 0.05) {
  return {.wall = wall, .name = "stone", .share = share};
}

struct JudgeCase {
  std::string_view what;
  BlockFacts facts;
  std::int64_t status;
  std::string_view signal;  // "" for none
  double confidence = 0;
};

const JudgeCase kJudgeCases[] = {
    {"a challenge", Marked(Little(), Stone(Wall::kCloudflare)), 403, "cloudflare_challenge", 0.95},
    {"a check alone", Marked(Little(), Widget(Wall::kCloudflare)), 200, "cloudflare_challenge",
     0.95},
    {"a check in a form", Marked(Form(Little(), 2), Widget(Wall::kCloudflare)), 200, ""},
    {"a check below an article", Marked(Article(), Widget(Wall::kCaptcha)), 200, ""},
    {"a question over an article", Marked(Article(), Stone(Wall::kCaptcha, 0.2)), 200, "captcha",
     0.95},
    {"a trace of one in an article", Marked(Article(), Stone(Wall::kCaptcha, 0.01)), 200, ""},
    {"letters in a picture",
     Telling(Marked(Form(Little(), 1), Widget(Wall::kCaptcha)), Saying::kRobot), 200, "captcha",
     0.95},
    {"a guard", Marked(Little(), Stone(Wall::kDataDome)), 403, "bot_challenge", 0.9},
    {"another guard", Marked(Little(), Stone(Wall::kPerimeterX)), 403, "bot_challenge", 0.9},
    {"Akamai", Marked(Little(), Stone(Wall::kAkamai)), 428, "bot_challenge", 0.85},
    {"Imperva", Marked(Little(), Stone(Wall::kImperva)), 200, "bot_challenge", 0.85},
    {"words about robots", Telling(Little(), Saying::kRobot), 200, "bot_challenge", 0.85},
    {"words about robots in a form", Telling(Form(Little(), 2), Saying::kRobot), 200, ""},
    {"an article about robots", Telling(Article(), Saying::kRobot), 200, ""},
    {"a session that is checked", GoingOn(Telling(Little(), Saying::kVerifying)), 200,
     "session_verification", 0.9},
    {"only words about it", Telling(Little(), Saying::kVerifying), 200, ""},
    {"denied by words", Telling(Little(), Saying::kDenied), 200, "access_denied", 0.8},
    {"denied by words and status", Telling(Little(), Saying::kDenied), 403, "access_denied", 0.9},
    {"a page of a guard", Marked(Little(), Stone(Wall::kDenied)), 200, "access_denied", 0.9},
    {"an article about it", Telling(Article(), Saying::kDenied), 200, ""},
    {"403", Little(), 403, "http_403", 0.7},
    {"429", Little(), 429, "http_429", 0.8},
    {"503", Little(), 503, "http_503", 0.75},
    {"403 with an article", Article(), 403, ""},
    {"404", Little(), 404, ""},
    {"a shell", EmptyShell(), 200, "empty_spa_shell", 0.6},
    {"a shell with fields", Form(EmptyShell(), 1), 200, ""},
    {"little", Little(), 200, ""},
    {"an article", Article(), 200, ""},
};

TEST(BlockJudgeTest, EveryRowOfTheTable) {
  std::set<BlockSignal> met;
  for (const JudgeCase& one : kJudgeCases) {
    const auto verdict = JudgeBlock(one.facts, one.status);
    EXPECT_EQ(verdict ? NameIn(kBlockSignals, verdict->signal) : "", one.signal) << one.what;
    if (!verdict) continue;
    EXPECT_DOUBLE_EQ(verdict->confidence, one.confidence) << one.what;
    EXPECT_FALSE(verdict->reason.empty()) << one.what;
    met.insert(verdict->signal);
  }
  EXPECT_EQ(met.size(), std::size(kBlockSignals));
}

TEST(BlockJudgeTest, OnlyWordsAboutDeniedAccessDoNotTrigger) {
  const auto said = JudgeBlock(Telling(Little(), Saying::kDenied), 200);
  const auto sure = JudgeBlock(Telling(Little(), Saying::kDenied), 403);
  const auto shell = JudgeBlock(EmptyShell(), 200);

  ASSERT_TRUE(said && sure && shell);
  EXPECT_FALSE(said->Triggers());
  EXPECT_TRUE(sure->Triggers());
  EXPECT_TRUE(shell->Triggers());
}

TEST(BlockJudgeTest, FactsAreReadAsThePageTellsThem) {
  const auto facts = BlockFacts::FromJson(*ParseJson(R"({"ref":"d1e1","title":"T","status":403,
    "chars":10,"words":2,"html_chars":700,"fields":1,"links":3,"scripts":4,"refresh":true,
    "hidden_form":false,"mount":"empty","says":["denied","later"],"says_in_title":["robot"],
    "marks":[{"wall":"captcha","name":"n","widget":true,"share":0.5}]})"));
  const auto wrong = BlockFacts::FromJson(*ParseJson(R"({"title":3})"));

  ASSERT_TRUE(facts) << facts.error().message();
  EXPECT_TRUE(facts->Says(Saying::kDenied) && facts->Says(Saying::kRobot));
  EXPECT_FALSE(facts->Says(Saying::kVerifying));
  EXPECT_EQ(facts->mount, Mount::kEmpty);
  ASSERT_EQ(facts->marks.size(), 1U);
  EXPECT_TRUE(facts->marks[0].wall == Wall::kCaptcha && facts->marks[0].is_widget);
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code(), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace falconer::agent
