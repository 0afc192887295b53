#include "app/cli.h"

#include <iomanip>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "app/doctor/doctor.h"

namespace falconer::app {
namespace {

std::vector<std::string> Words(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; in >> std::quoted(word);) words.push_back(word);
  return words;
}

// What is said to a command line that does not run.
Answer AnswerTo(std::string_view line) {
  auto parsed = ParseCommandLine(Words(line));
  return parsed ? Answer{-1, "runs " + std::string(parsed->command->name)} : parsed.error();
}

TEST(CliTest, RunsOneCommandAtATime) {
  for (const char* line :
       {"version demo", "demo version", "doctor version", "config show schema"}) {
    EXPECT_EQ(AnswerTo(line).exit_code, kExitUsage) << line << ": " << AnswerTo(line).text;
  }
}

TEST(CliTest, SaysWhenItsAnswerWasLost) {
  std::ostringstream out;
  std::ostringstream err;
  out.setstate(std::ios::badbit);
  Terminal terminal(out, err, Colour::kOff);

  EXPECT_EQ(RunCommandLine({"version"}, {}, terminal), kExitFailed);
  EXPECT_TRUE(err.str().contains("IO_ERROR")) << err.str();
  EXPECT_TRUE(err.str().contains("hint:  whoever reads it has closed it")) << err.str();
  EXPECT_EQ(RunCommandLine({"nonsense", "--json"}, {}, terminal), kExitUsage)
      << "what failed before that is still told";
}

TEST(CliTest, RunsEveryCommandOfTheTable) {
  std::set<std::string_view> names;
  for (const Command& command : AllCommands()) {
    const bool needs_word =
        !command.options.empty() && !command.options.front().name.starts_with("-");
    const auto parsed =
        ParseCommandLine(Words(std::string(command.name) + (needs_word ? " 1" : "")));

    ASSERT_TRUE(parsed) << parsed.error().text;
    EXPECT_EQ(parsed->command->name, command.name);
    EXPECT_TRUE(names.insert(command.name).second) << command.name << " is there twice";
  }
}

TEST(CliTest, ShowsHelpWithExamplesAndCommonOptionsForEveryCommand) {
  for (const Command& command : AllCommands()) {
    const Answer answer = AnswerTo(std::string(command.name) + " --help");

    EXPECT_EQ(answer.exit_code, kExitOk) << answer.text;
    EXPECT_TRUE(answer.text.contains(command.help)) << answer.text;
    EXPECT_TRUE(answer.text.contains("Usage: falconer " + std::string(command.name)))
        << answer.text;
    EXPECT_TRUE(answer.text.contains(command.examples)) << answer.text;
    for (const OptionRow& row : CommonOptions()) EXPECT_TRUE(answer.text.contains(row.name));
    for (const OptionRow& row : command.options) EXPECT_TRUE(answer.text.contains(row.help));
  }
}

TEST(CliTest, ExamplesOfTheTableAreValid) {
  for (const Command& command : AllCommands()) {
    std::istringstream lines{std::string(command.examples)};
    for (std::string line; std::getline(lines, line);) {
      // The rest is for the shell.
      auto words = Words(line.substr(0, line.find_first_of("<>|")));
      ASSERT_EQ(words.front(), "falconer") << line;
      words.erase(words.begin());
      const auto parsed = ParseCommandLine(words);
      ASSERT_TRUE(parsed) << line << "\n" << parsed.error().text;
      EXPECT_EQ(parsed->command->name, command.name) << line;
    }
  }
}

TEST(CliTest, AnOptionTakesOneValueAndLeavesTheCommandItsWords) {
  const auto parsed = ParseCommandLine(Words("quota set --tenant acme a=1 b=2 --set c=3 d=4"));
  ASSERT_TRUE(parsed) << parsed.error().text;
  EXPECT_EQ(parsed->arguments.tenant, "acme");
  EXPECT_EQ(parsed->arguments.limits, (std::vector<std::string>{"a=1", "b=2", "d=4"}));
  EXPECT_EQ(parsed->arguments.settings, std::vector<std::string>{"c=3"});
  const auto show = ParseCommandLine(Words("audit show --tenant acme 17"));
  ASSERT_TRUE(show) << show.error().text;
  EXPECT_EQ(show->arguments.seq, "17");
}

TEST(CliTest, ReadsOptions) {
  const auto parsed = ParseCommandLine(
      Words("demo --visible --keep-open --output o --json --config f.yaml --set a=1 --set b=2"));

  ASSERT_TRUE(parsed) << parsed.error().text;
  const Arguments& arguments = parsed->arguments;
  EXPECT_TRUE(arguments.is_visible);
  EXPECT_TRUE(arguments.stays_open);
  EXPECT_TRUE(arguments.wants_json);
  EXPECT_EQ(arguments.output, "o");
  EXPECT_EQ(arguments.config, "f.yaml");
  EXPECT_EQ(arguments.settings, (std::vector<std::string>{"a=1", "b=2"}));
}

TEST(CliTest, TakesCommonOptionsBeforeTheCommandToo) {
  const auto parsed = ParseCommandLine(Words("--json --set a=1 demo --set b=2"));

  ASSERT_TRUE(parsed) << parsed.error().text;
  EXPECT_TRUE(parsed->arguments.wants_json);
  EXPECT_EQ(parsed->arguments.settings.size(), 2U);
}

TEST(CliTest, TakesCommonOptionsInsideACommandOfTwoWords) {
  const auto parsed = ParseCommandLine(Words("config --json --set a=1 show --set b=2"));

  ASSERT_TRUE(parsed) << parsed.error().text;
  EXPECT_EQ(parsed->command->name, "config show");
  EXPECT_TRUE(parsed->arguments.wants_json);
  EXPECT_EQ(parsed->arguments.settings, (std::vector<std::string>{"a=1", "b=2"}));
}

TEST(CliTest, HasDefaults) {
  const auto parsed = ParseCommandLine({"demo"});

  ASSERT_TRUE(parsed);
  EXPECT_FALSE(parsed->arguments.wants_json);
  EXPECT_FALSE(parsed->arguments.is_visible);
  EXPECT_EQ(parsed->arguments.output, "falconer-demo");
}

TEST(CliTest, SuggestsWhatWasMeant) {
  EXPECT_TRUE(AnswerTo("demmo").text.contains("there is no command \"demmo\"; did you mean demo?"));
  EXPECT_TRUE(
      AnswerTo("config shwo")
          .text.contains("falconer config: there is no command \"shwo\"; did you mean show?"));
  EXPECT_TRUE(
      AnswerTo("demo --jsn").text.contains("there is no option \"--jsn\"; did you mean --json?"));
  const std::string named = AnswerTo("approvals approve apr_1 --approver ann").text;
  EXPECT_TRUE(named.contains("there is no option \"--approver\"")) << named;
  EXPECT_TRUE(AnswerTo("frobnicate").text.contains("there is no command \"frobnicate\"\n"));
  EXPECT_TRUE(AnswerTo("demo now").text.contains("there is no argument \"now\""));
}

TEST(CliTest, WrongUsageHasItsOwnExitCode) {
  for (const std::string_view line : {"", "config", "demmo", "demo --jsn", "demo now",
                                      "config validate", "demo --set", "config validate a b"}) {
    EXPECT_EQ(AnswerTo(line).exit_code, kExitUsage) << line << "\n" << AnswerTo(line).text;
  }
}

TEST(CliTest, SurvivesAnyWords) {
  for (const std::string& word :
       {std::string("--"), std::string("-"), std::string("---"), std::string(), std::string("--="),
        std::string("-hh"), std::string("\xff\xfe"), std::string(10'000, '-')}) {
    const auto parsed = ParseCommandLine({word, word, "demo", word});
    if (!parsed) EXPECT_FALSE(parsed.error().text.empty());
  }
}

TEST(CliTest, SaysTheVersionBothWaysInBothForms) {
  const auto say = [](const std::vector<std::string>& words) {
    std::ostringstream out;
    std::ostringstream err;
    Terminal terminal(out, err, Colour::kOff);
    EXPECT_EQ(RunCommandLine(words, {}, terminal), kExitOk);
    return out.str();
  };

  EXPECT_TRUE(say({"version"}).starts_with("falconer ")) << say({"version"});
  EXPECT_EQ(say({"--version"}), say({"version"}));
  EXPECT_TRUE(say({"version", "--json"}).contains("\"version\":"));
  EXPECT_EQ(say({"--version", "--json"}), say({"version", "--json"}));
  EXPECT_EQ(say({"--json", "--version"}), say({"version", "--json"}));
}

TEST(CliTest, TurnsFlagsIntoSettings) {
  Arguments arguments;
  arguments.config = "f.yaml";
  arguments.settings = {"timeouts.default=30s", "browser.extra_args=--a=b --c"};

  const auto input = SettingsInputFrom(arguments);

  ASSERT_TRUE(input) << input.error().message();
  EXPECT_EQ(input->file, "f.yaml");
  EXPECT_EQ(input->flags[0], std::pair(std::string("timeouts.default"), std::string("30s")));
  EXPECT_EQ(input->flags[1],
            std::pair(std::string("browser.extra_args"), std::string("--a=b --c")));
}

TEST(CliTest, RefusesFlagsThatAreNoSettings) {
  Arguments arguments;
  arguments.settings = {"timeouts.default"};
  EXPECT_EQ(SettingsInputFrom(arguments).error().code(), ErrorCode::kInvalidArgument);
  arguments.settings = {"=30s"};
  EXPECT_EQ(SettingsInputFrom(arguments).error().code(), ErrorCode::kInvalidArgument);

  arguments.settings = {"timeout.default=30s"};
  const auto unknown = SettingsInputFrom(arguments);
  EXPECT_EQ(unknown.error().code(), ErrorCode::kInvalidSetting);
  EXPECT_TRUE(unknown.error().message().contains("did you mean timeouts.default?"));
}

TEST(CliTest, EveryCheckOfTheDoctorHasANameAndACure) {
  std::set<std::string_view> names;
  for (const Check& check : AllChecks()) {
    EXPECT_FALSE(check.cure.empty()) << check.name;
    EXPECT_TRUE(names.insert(check.name).second) << check.name << " is there twice";
  }
  EXPECT_GE(names.size(), 10U);
}

}  // namespace
}  // namespace falconer::app
