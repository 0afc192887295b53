// `falconer act` from outside: real contracts on a real site, and what the shell is told.

#include <csignal>
#include <fmt/format.h>

#include <gtest/gtest.h>

#include "tests/api/child_program.h"
#include "tests/support/co_test.h"
#include "tests/support/test_site.h"

namespace falconer::test {
namespace {

using Words = std::vector<std::string>;

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string CodeIn(const json::object& result) {
  const json::value* failure = result.if_contains("failure");
  return failure == nullptr ? "" : TextAt(failure->as_object(), "code");
}

class ActProgramTest : public testing::Test {
 protected:
  ActProgramTest() : data_(TempDir::Create("falconer-act-test-").value()) {
    site_.Serve("/shop", R"(<title>Shop</title><h1>Shop</h1><button id=buy>Buy</button>
<output id=done></output><script>
document.querySelector('#buy').addEventListener('click', async () => {
  await fetch('/effect', {method: 'POST', body: JSON.stringify({name: 'bought'})});
  document.querySelector('#done').textContent = 'Thank you';
});</script>)");
    site_.Serve("/held", "<h1>Held</h1>");
  }

  Words Arguments(std::string file, const Words& more) const {
    Words words = {"act",   std::move(file),
                   "--set", "data.dir=" + data_.path().string(),
                   "--set", "policy.allow_domains=127.0.0.1"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  Ended Act(std::string_view text, const Words& more = {}) const {
    ChildProgram program(Arguments("-", more));
    program.Feed(text);
    return program.Wait();
  }

  std::string Go(std::string_view path, std::string_view more = "") const {
    return fmt::format(R"({{"action_spec": {{"action_type": "navigate", "url": "{}"}}{}}})",
                       site_.Url(path), more);
  }

  static std::string Click(std::string_view selector, std::string_view more = "") {
    return fmt::format(R"({{"action_spec": {{"action_type": "click", "selector": "{}"}},
      "wait_conditions": [{{"kind": "text", "text": "Thank you"}}],
      "retry": {{"max_attempts": 1}}, "timeout": {{"bind_ms": 500}}{}}})",
                       selector, more);
  }

  // On one line, as JSON lines need it.
  static std::string Line(const std::string& text) {
    return json::serialize(ParseJson(text).value());
  }

  void ExpectAsked(std::string path, std::size_t count) {
    SystemClock clock;
    boost::asio::io_context io;
    RunCo(io, Until(&site_, CallContext(io.get_executor(), clock), std::move(path), count),
          std::chrono::seconds(40));
  }

  // The ledger is whole, says the program, and so says a program that shares no code with it.
  void ExpectLedgerIsClean() const {
    const Ended audit =
        RunProgram({"audit", "verify", "--set", "data.dir=" + data_.path().string()});
    EXPECT_EQ(audit.exit_code, 0) << audit.out << audit.err;
    EXPECT_TRUE(audit.out.contains("local: ok")) << audit.out;
    const std::string command = fmt::format(
        "python3 {}/tools/verify_ledger.py chain {}/ledger/local --key {}/keys/ledger.ed25519.pub "
        "> {}/verdict 2>&1",
        FALCONER_SOURCE, data_.path().string(), data_.path().string(), data_.path().string());
    EXPECT_EQ(std::system(command.c_str()), 0)  // NOLINT(concurrency-mt-unsafe)
        << ReadFile(data_.path() / "verdict").value_or("");
  }

  static void ExpectNothingLeft(const ChildProgram& program) {
    EXPECT_EQ(program.Survivors(), Words());
    EXPECT_EQ(program.LeftBehind(), Words());
  }

  TestSite site_;
  TempDir data_;

 private:
  static Task<void> Until(TestSite* site, CallContext ctx, std::string path, std::size_t count) {
    const auto asked =
        co_await site->UntilRequests(ctx.WithTimeout(std::chrono::seconds(30)), path, count);
    EXPECT_TRUE(asked) << path << " was not asked for";
  }
};

TEST_F(ActProgramTest, WhatItKeepsIsForItsUserAlone) {
  const std::filesystem::path home = data_.path() / "new";
  const Ended ended =
      Act(Go("/shop") + "\n" + R"({"action_spec": {"action_type": "screenshot"}, "step_index": 1})",
          {"--set", "data.dir=" + home.string()});

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  const auto others = std::filesystem::perms::group_all | std::filesystem::perms::others_all;
  int files = 0;
  EXPECT_EQ(std::filesystem::status(home).permissions() & others, std::filesystem::perms::none);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home)) {
    ++files;
    EXPECT_EQ(entry.status().permissions() & others, std::filesystem::perms::none) << entry.path();
  }
  EXPECT_GT(files, 5);
}

TEST_F(ActProgramTest, CarriesOutOneContractAndTellsPeople) {
  ChildProgram program(Arguments("-", {}));
  program.Feed(Go("/shop"));

  const Ended ended = program.Wait();

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_EQ(ended.err, "");
  for (const std::string& part :
       {"1/1    navigate " + site_.Url("/shop"), std::string("1/1    ok"), std::string(" ms"),
        std::string("ledger local #"), std::string("button \"Buy\""),
        std::string("1 of 1 contracts succeeded")}) {
    EXPECT_TRUE(ended.out.contains(part)) << part << "\n" << ended.out;
  }
  EXPECT_FALSE(ended.out.contains('\x1b')) << "colour where nobody sees it";
  ExpectNothingLeft(program);
  ExpectLedgerIsClean();
}

TEST_F(ActProgramTest, ReadsAFile) {
  const auto file = data_.path() / "contract.json";
  ASSERT_TRUE(WriteFileAtomic(file, Go("/shop")));

  const Ended ended = RunProgram(Arguments(file.string(), {"--json"}));

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  const json::object result = ended.Answer();
  EXPECT_TRUE(IsTrueAt(result, "success")) << ended.out;
  EXPECT_TRUE(TextAt(result, "action_id").starts_with("act_"));
  EXPECT_EQ(result.at("ledger").at("chain"), "local");
}

TEST_F(ActProgramTest, TheSameRunIsAnsweredWithTheSameBytes) {
  const std::string contracts = fmt::format("[{}, {}]", Go("/shop", R"(, "run_id": "r1")"),
                                            Click("#buy", R"(, "run_id": "r1")"));

  const Ended first = Act(contracts, {"--json"});
  const Ended second = Act(contracts, {"--json"});

  EXPECT_EQ(first.exit_code, 0) << first.out << first.err;
  EXPECT_EQ(second.out, first.out);
  EXPECT_EQ(site_.EffectCount("bought"), 1u);
  EXPECT_EQ(Act(fmt::format("[{}, {}]", Go("/shop"), Click("#buy"))).exit_code, 0);
  EXPECT_EQ(site_.EffectCount("bought"), 2u) << "without a run of its own it is done again";
}

TEST_F(ActProgramTest, ManyAreAnsweredLineByLine) {
  const std::string lines =
      Line(Go("/shop")) + "\n" + Line(Click("#buy")) + "\n" + Line(Click("#buy")) + "\n";

  const Ended ended = Act(lines, {"--json"});

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  const auto answers = Lines(ended.out);
  ASSERT_EQ(answers.size(), 3u) << ended.out;
  for (const std::string& line : answers) {
    EXPECT_TRUE(IsTrueAt(ParseJsonObject(line).value_or(json::object()), "success")) << line;
  }
  EXPECT_EQ(site_.EffectCount("bought"), 2u) << "the same twice is two actions";
  ExpectLedgerIsClean();
}

TEST_F(ActProgramTest, AChainThatIsGoneIsFoundOut) {
  ASSERT_EQ(Act(Go("/shop"), {}).exit_code, 0);
  std::filesystem::remove_all(data_.path() / "ledger" / "local");

  const Ended audit = RunProgram({"audit", "verify", "--set", "data.dir=" + data_.path().string()});

  EXPECT_EQ(audit.exit_code, 1) << audit.out << audit.err;
  EXPECT_TRUE(audit.out.contains("rollback")) << audit.out;
}

TEST_F(ActProgramTest, StopsAtTheFirstFailureUnlessToldToKeepGoing) {
  const std::string contracts =
      fmt::format("[{}, {}, {}]", Go("/shop"), Click("#nowhere"), Click("#buy"));

  const Ended stopped = Act(contracts, {"--json"});
  EXPECT_EQ(stopped.exit_code, 1) << stopped.out << stopped.err;
  EXPECT_EQ(Lines(stopped.out).size(), 2u) << stopped.out;
  EXPECT_EQ(site_.EffectCount("bought"), 0u);

  const Ended kept = Act(contracts, {"--keep-going"});
  EXPECT_EQ(kept.exit_code, 1) << kept.out << kept.err;
  EXPECT_TRUE(kept.out.contains("2/3    FAILED")) << kept.out;
  EXPECT_TRUE(kept.out.contains("3/3    ok")) << kept.out;
  EXPECT_TRUE(kept.out.contains("2 of 3 contracts succeeded")) << kept.out;
  EXPECT_TRUE(kept.out.contains("hint: ")) << kept.out;
  EXPECT_EQ(site_.EffectCount("bought"), 1u);
}

TEST_F(ActProgramTest, RunsAPlan) {
  const std::string plan = fmt::format(
      R"({{"plan_id": "order-7", "steps": [{{"step_id": "open", "contract": {}}},
        {{"step_id": "buy", "depends_on": ["open"], "contract": {}}}],
        "success_criteria": [{{"rule_type": "text_state", "selector": "#done",
                               "expected": "Thank you"}}]}})",
      Go("/shop"), Click("#buy"));

  const Ended told = Act(plan);
  EXPECT_EQ(told.exit_code, 0) << told.out << told.err;
  for (const std::string_view part :
       {"open   navigate", "open   ok", "buy    click #buy", "buy    ok", "criteria ok",
        "plan order-7: succeeded, 2 of 2 steps done"}) {
    EXPECT_TRUE(told.out.contains(part)) << part << "\n" << told.out;
  }

  const Ended answered = Act(plan, {"--json"});
  EXPECT_EQ(answered.exit_code, 0) << answered.out << answered.err;
  EXPECT_EQ(Lines(answered.out).size(), 1u);
  EXPECT_EQ(answered.Answer().at("plan_id"), "order-7");
  EXPECT_EQ(answered.Answer().at("steps").as_array().size(), 2u);
  EXPECT_EQ(answered.Answer().at("criteria").at("passed"), true);
  EXPECT_EQ(site_.EffectCount("bought"), 2u);
  ExpectLedgerIsClean();
}

TEST_F(ActProgramTest, APlanThatFailsIsUndone) {
  const std::string plan = fmt::format(
      R"({{"plan_id": "p", "rollback": {{"on_failure": "compensate"}}, "steps": [
        {{"step_id": "open", "contract": {}, "compensation": {}}},
        {{"step_id": "gone", "contract": {}}}, {{"step_id": "last", "contract": {}}}]}})",
      Go("/shop"), Click("#buy"), Click("#nowhere"), Click("#buy"));

  const Ended ended = Act(plan);

  EXPECT_EQ(ended.exit_code, 1) << ended.out << ended.err;
  EXPECT_TRUE(ended.out.contains("undo open ok")) << ended.out;
  EXPECT_TRUE(ended.out.contains("1 of 3 steps done, 1 undone")) << ended.out;
  EXPECT_EQ(site_.EffectCount("bought"), 1u);
}

struct BadInput {
  std::string_view text;
  std::string_view message;
};

TEST_F(ActProgramTest, BadInputIsRefusedBeforeAnythingIsDone) {
  const std::string late =
      fmt::format(R"([{}, {{"action_spec": {{"action_type": "fly"}}}}])", Go("/shop"));
  const BadInput rows[] = {
      {"", "holds no contract and no plan"},
      {"{\n\"action_spec\": }", "line 2, column 16: not JSON"},
      {R"({"surprise": 1})", "contract: surprise"},
      {late, "contract 2: action_spec.action_type: "},
      {R"({"plan_id": "p", "steps": [{"step_id": "a", "contract": {"x": 1}}]})",
       "plan: steps[0].contract.x"},
      {"[1]", "contract 1: expected object"},
  };
  for (const BadInput& row : rows) {
    const Ended told = Act(row.text);
    EXPECT_EQ(told.exit_code, 2) << row.text << told.out << told.err;
    EXPECT_EQ(told.out, "");
    EXPECT_TRUE(told.err.contains(row.message)) << told.err;
    EXPECT_TRUE(told.err.contains("hint:  ")) << told.err;

    const Ended answered = Act(row.text, {"--json"});
    EXPECT_EQ(answered.exit_code, 2);
    EXPECT_TRUE(TextAt(answered.Answer().at("error").as_object(), "message").contains(row.message));
  }
  EXPECT_EQ(site_.RequestCount("/shop"), 0u);
  EXPECT_FALSE(std::filesystem::exists(data_.path() / "ledger")) << "nothing was even opened";
}

TEST_F(ActProgramTest, WrongWordsAndSettingsAreUsage) {
  EXPECT_EQ(RunProgram({"act"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"act", "none.json"}).exit_code, 2);
  EXPECT_TRUE(RunProgram({"act", "none.json"}).err.contains("NOT_FOUND"));
  EXPECT_EQ(Act("{\"intent\": \"a\"}", {"--set", "nothing=1"}).exit_code, 2);
  const Ended domains = Act("{\"intent\": \"a\"}", {"--set", "policy.deny_domains=*bad*"});
  EXPECT_EQ(domains.exit_code, 2) << domains.err;
}

TEST_F(ActProgramTest, WhatAGateRefusesHasACodeOfItsOwnAndIsOnRecord) {
  const Ended ended = Act(fmt::format("[{}, {}]",
                                      R"({"action_spec": {"action_type": "navigate",
                                          "url": "http://10.0.0.1/"}})",
                                      Go("/shop")));

  EXPECT_EQ(ended.exit_code, 3) << ended.out << ended.err;
  EXPECT_TRUE(ended.out.contains("1/2    REFUSED")) << ended.out;
  EXPECT_TRUE(ended.out.contains("SECURITY_DOMAIN_BLOCK")) << ended.out;
  EXPECT_TRUE(ended.out.contains("policy.allow_domains")) << ended.out;
  EXPECT_EQ(site_.RequestCount("/shop"), 0u);
  const Ended query = RunProgram({"audit", "query", "--kind", "refusal", "--json", "--set",
                                  "data.dir=" + data_.path().string()});
  EXPECT_TRUE(query.out.contains("SECURITY_DOMAIN_BLOCK")) << query.out << query.err;
  ExpectLedgerIsClean();
}

TEST_F(ActProgramTest, APersonIsAskedForOnlyByAContractThatSaysSo) {
  const std::string_view rule = R"(, "expected_postconditions": [{"rule_type": "url_pattern",
                                   "pattern": "**/elsewhere"}])";
  const std::string_view person = R"(, "escalation": {"on_non_retryable": "human_review"})";

  EXPECT_EQ(Act(Go("/shop", rule)).exit_code, 1);
  const Ended asked = Act(Go("/shop", std::string(rule) + std::string(person)));
  EXPECT_EQ(asked.exit_code, 5) << asked.out;
  EXPECT_TRUE(asked.out.contains("NEEDS A PERSON")) << asked.out;
  EXPECT_TRUE(asked.out.contains("POSTCONDITION_FAILED")) << asked.out;
}

TEST_F(ActProgramTest, ADryRunDoesNothing) {
  const Ended ended = Act(Go("/shop"), {"--dry-run", "--json"});

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_EQ(ended.Answer().at("metadata").at("dry_run"), true) << ended.out;
  EXPECT_EQ(site_.RequestCount("/shop"), 0u);
}

TEST_F(ActProgramTest, TheWorkflowOfTheCommandLineWins) {
  const Ended ended = Act(Go("/shop", R"(, "workflow_id": "theirs")"), {"--workflow", "mine"});

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  const Ended query = RunProgram({"audit", "query", "--workflow", "mine", "--json", "--set",
                                  "data.dir=" + data_.path().string()});
  EXPECT_TRUE(query.out.contains("turn_closed")) << query.out;
}

TEST_F(ActProgramTest, EndsInOrderWhenToldTo) {
  site_.Hold("/held");
  std::size_t asked = 0;
  for (const int number : {SIGINT, SIGTERM}) {
    ChildProgram program(Arguments("-", {"--json"}));
    program.Feed(fmt::format("[{}, {}, {}]", Go("/shop"), Go("/held"), Go("/shop")));
    ExpectAsked("/held", ++asked);

    program.Signal(number);
    const Ended ended = program.Wait();

    EXPECT_EQ(ended.exit_code, 128 + number) << ended.out << ended.err;
    const auto answers = Lines(ended.out);
    EXPECT_EQ(answers.size(), 2u) << ended.out;
    EXPECT_EQ(CodeIn(ParseJsonObject(answers.back()).value_or(json::object())), "CANCELLED")
        << ended.out;
    ExpectNothingLeft(program);
    ExpectLedgerIsClean();
  }
  EXPECT_EQ(site_.RequestCount("/shop"), 2u) << "the third contract is not begun";
  site_.Release("/held");
}

TEST_F(ActProgramTest, JoinsTheTraceOfWhoeverStartedIt) {
  constexpr std::string_view kTrace = "0af7651916cd43dd8448eb211c80319c";
  ChildProgram program(Arguments("-", {"--json"}),
                       {fmt::format("TRACEPARENT=00-{}-b7ad6b7169203331-01", kTrace)});
  program.Feed(Go("/shop"));
  const Ended ended = program.Wait();
  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;

  const std::string told = ReadFile(data_.path() / "telemetry.jsonl").value_or("");

  EXPECT_TRUE(told.contains(fmt::format("00-{}-", kTrace))) << told;
}

// As `timeout` ends what it runs: the process, and at once its group.
TEST_F(ActProgramTest, TheSameSignalTwiceAtOnceIsOne) {
  site_.Hold("/held");
  ChildProgram program(Arguments("-", {"--json"}));
  program.Feed(Go("/held"));
  ExpectAsked("/held", 1);

  program.Signal(SIGTERM);
  program.Signal(SIGTERM);
  const Ended ended = program.Wait();
  site_.Release("/held");

  EXPECT_EQ(ended.exit_code, 128 + SIGTERM) << ended.err;
  ASSERT_EQ(Lines(ended.out).size(), 1u) << ended.out;
  EXPECT_TRUE(ended.out.contains("CANCELLED")) << ended.out;
  ExpectNothingLeft(program);
}

TEST_F(ActProgramTest, BreaksOffWhenToldTwice) {
  site_.Hold("/held");
  ChildProgram program(Arguments("-", {"--json"}));
  program.Feed(Go("/held"));
  ExpectAsked("/held", 1);

  program.Signal(SIGINT);
  program.Signal(SIGTERM);
  const Ended ended = program.Wait();
  site_.Release("/held");

  EXPECT_TRUE(ended.exit_code == 128 + SIGINT || ended.exit_code == 128 + SIGTERM)
      << ended.exit_code << ended.err;
  EXPECT_LE(Lines(ended.out).size(), 1u) << ended.out;
  ExpectNothingLeft(program);
}

TEST_F(ActProgramTest, APlanEndsInOrderWhenToldTo) {
  site_.Hold("/held");
  ChildProgram program(Arguments("-", {"--json"}));
  program.Feed(fmt::format(R"({{"plan_id": "p", "steps": [{{"step_id": "a", "contract": {}}},
      {{"step_id": "b", "contract": {}}}, {{"step_id": "c", "contract": {}}}]}})",
                           Go("/shop"), Go("/held"), Go("/shop")));
  ExpectAsked("/held", 1);

  program.Signal(SIGINT);
  const Ended ended = program.Wait();
  site_.Release("/held");

  EXPECT_EQ(ended.exit_code, 128 + SIGINT) << ended.out << ended.err;
  const json::object answer = ended.Answer();
  ASSERT_TRUE(answer.contains("steps")) << ended.out;
  EXPECT_EQ(answer.at("steps").at(0).at("status"), "done");
  EXPECT_EQ(answer.at("steps").at(1).at("status"), "cancelled");
  EXPECT_EQ(answer.at("steps").at(2).at("status"), "skipped");
  EXPECT_EQ(CodeIn(answer), "CANCELLED");
  ExpectNothingLeft(program);
  ExpectLedgerIsClean();
}

TEST_F(ActProgramTest, WhatACrashLeftOpenIsUnknownAndNeverRepeated) {
  const Words quick = {"--json", "--set", "leases.ttl=1s"};
  const std::string contracts = fmt::format("[{}, {}]", Go("/shop", R"(, "run_id": "r1")"),
                                            Click("#buy", R"(, "run_id": "r1")"));
  site_.Hold("/effect");
  {
    ChildProgram program(Arguments("-", quick));
    program.Feed(contracts);
    ExpectAsked("/effect", 1);
    program.Signal(SIGKILL);
    EXPECT_EQ(program.Wait().exit_code, 128 + SIGKILL);
  }
  site_.Release("/effect");

  // Until its lease has run out the workflow belongs to the program that is no more.
  Ended ended = Act(contracts, quick);
  for (int i = 0; i < 100 && ended.out.contains("SESSION_LEASE"); ++i)
    ended = Act(contracts, quick);

  EXPECT_EQ(ended.exit_code, 4) << ended.out << ended.err;
  EXPECT_TRUE(ended.out.contains("OUTCOME_UNKNOWN")) << ended.out;
  EXPECT_EQ(site_.RequestCount("/effect"), 1u) << "nothing is done twice";
}

TEST_F(ActProgramTest, HelpNamesTheExitCodes) {
  const Ended help = RunProgram({"act", "--help"});
  EXPECT_EQ(help.exit_code, 0);
  for (const std::string_view part :
       {"--dry-run", "--keep-going", "--workflow", "standard input", "4 outcome unknown",
        "3 refused by a gate", "5 failed and asks for a person"}) {
    EXPECT_TRUE(help.out.contains(part)) << part << "\n" << help.out;
  }
}

}  // namespace
}  // namespace falconer::test
