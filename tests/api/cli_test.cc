// The built program as a script sees it: exit codes, streams, JSON.

#include <sys/resource.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "tests/api/child_program.h"

namespace falconer::test {
namespace {

TEST(CliProgramTest, SaysItsVersion) {
  const Ended ended = RunProgram({"version"});

  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(ended.out.starts_with("falconer ")) << ended.out;
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(RunProgram({"version", "--json"}).Answer().at("ok"), true);
}

TEST(CliProgramTest, HelpSucceedsAndHasNoComplaints) {
  for (const std::vector<std::string>& words : {std::vector<std::string>{"--help"},
                                                {"demo", "--help"},
                                                {"doctor", "--help"},
                                                {"config", "--help"}}) {
    const Ended ended = RunProgram(words);
    EXPECT_EQ(ended.exit_code, 0);
    EXPECT_TRUE(ended.out.contains("Usage: falconer")) << ended.out;
    EXPECT_EQ(ended.err, "");
  }
}

TEST(CliProgramTest, RefusesAnUnknownCommandWithASuggestion) {
  const Ended ended = RunProgram({"docter"});

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.out, "");
  EXPECT_TRUE(ended.err.contains("did you mean doctor?")) << ended.err;
}

TEST(CliProgramTest, ShowsHelpWhenNoCommandIsGiven) {
  const Ended ended = RunProgram({});

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_TRUE(ended.err.contains("a command is missing")) << ended.err;
  EXPECT_TRUE(ended.err.contains("Subcommands:")) << ended.err;
}

TEST(CliProgramTest, AnswersWrongUsageAsJsonWhenAsked) {
  const Ended ended = RunProgram({"demo", "--json", "--vsible"});

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_EQ(ended.Answer().at("error").at("code").as_string(), "INVALID_ARGUMENT") << ended.out;
  EXPECT_EQ(ended.err, "");
}

TEST(CliProgramTest, ShowsSettingsFromEveryPlace) {
  const Ended ended = RunProgram({"config", "show", "--json", "--set", "sessions.max=5"},
                                 {"FALCONER_VIEWPORT_WIDTH=800", "BROWSER_TIMEOUT=4000"});

  EXPECT_EQ(ended.exit_code, 0);
  EXPECT_TRUE(
      ended.out.contains(R"({"key":"sessions.max","value":"5","source":"--set sessions.max"})"))
      << ended.out;
  EXPECT_TRUE(ended.out.contains("environment FALCONER_VIEWPORT_WIDTH")) << ended.out;
  EXPECT_TRUE(ended.out.contains(R"("value":"4s","source":"environment BROWSER_TIMEOUT")"))
      << ended.out;
}

TEST(CliProgramTest, BadSettingsStopEveryCommandThatUsesThem) {
  for (const char* command : {"demo", "doctor"}) {
    const Ended ended = RunProgram({command, "--json"}, {"FALCONER_SESSIONS_MAX=lots"});
    EXPECT_EQ(ended.exit_code, 2) << command;
    EXPECT_EQ(ended.Answer().at("error").at("code").as_string(), "INVALID_SETTING") << ended.out;
  }
}

TEST(CliProgramTest, ValidatesAFile) {
  ChildProgram missing({"config", "validate", "falconer.yaml"});
  const Ended ended = missing.Wait();

  EXPECT_EQ(ended.exit_code, 2);
  EXPECT_TRUE(ended.err.contains("error: NOT_FOUND: ")) << ended.err;

  const auto file = missing.folder() / "falconer.yaml";
  ASSERT_TRUE(WriteFileAtomic(file, "browser:\n  count: 2\n"));
  EXPECT_EQ(RunProgram({"config", "validate", file.string()}).exit_code, 0);
  ASSERT_TRUE(WriteFileAtomic(file, "browser:\n  cuont: 2\n"));
  EXPECT_TRUE(RunProgram({"config", "validate", file.string()}).err.contains("falconer.yaml:2"));
  ASSERT_TRUE(WriteFileAtomic(file, "{{{{ \x01 not yaml"));
  EXPECT_EQ(RunProgram({"config", "validate", file.string()}).exit_code, 2);
}

TEST(CliProgramTest, RefusesAnAttachAddressWithAPortThatCannotBe) {
  for (const char* address : {"http://127.0.0.1:70000", "ftp://127.0.0.1:21"}) {
    const Ended ended =
        RunProgram({"demo", "--json", "--set", std::string("browser.attach_url=") + address});
    EXPECT_EQ(ended.exit_code, 2) << ended.out;
    EXPECT_EQ(ended.Answer().at("error").at("code").as_string(), "INVALID_SETTING") << ended.out;
  }
}

TEST(CliProgramTest, AnswersJsonWhateverBytesItIsGiven) {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"demo", "--json", "--set", "browser.path=/\xff\xfe"},
        {"demo", "--json", "\xC3"},
        {"config", "validate", "--json", "\xE2\x82.yaml"}}) {
    const Ended ended = RunProgram(words);
    EXPECT_NE(ended.exit_code, 0);
    EXPECT_FALSE(ended.Answer().empty()) << ended.out;
  }
  EXPECT_FALSE(
      RunProgram({"config", "show", "--json"}, {"FALCONER_BROWSER_PATH=/\xff"}).Answer().empty());
}

TEST(CliProgramTest, SaysItsVersionAsJson) {
  const json::object answer = RunProgram({"--version", "--json"}).Answer();
  EXPECT_TRUE(answer.contains("version"));
}

TEST(CliProgramTest, AStandardStreamThatIsClosedIsNoOtherFile) {
  struct Case {
    int closed;
    const char* name;
  };
  for (const Case& c : {Case{STDIN_FILENO, "input"}, Case{STDOUT_FILENO, "output"}}) {
    ChildProgram server({"mcp"}, {}, {c.closed});
    server.CloseInput();
    const Ended ended = server.Wait();
    EXPECT_EQ(ended.exit_code, 1);
    EXPECT_TRUE(ended.err.contains("IO_ERROR: cannot use standard " + std::string(c.name)))
        << ended.err;
    EXPECT_TRUE(ended.err.contains("hint:  start Falconer with standard ")) << ended.err;
  }
  ChildProgram silent({"schema", "contract"}, {}, {STDOUT_FILENO});
  const Ended lost = silent.Wait();
  EXPECT_EQ(lost.exit_code, 1);
  EXPECT_TRUE(lost.err.contains("could not be written to standard output")) << lost.err;
}

TEST(CliProgramTest, SchemaAndDocsArePrintable) {
  EXPECT_TRUE(ParseJsonObject(RunProgram({"config", "schema"}).out));
  EXPECT_TRUE(RunProgram({"config", "docs"}).out.starts_with("# Settings"));
}

TEST(CliProgramTest, DoctorFindsAWorkingBrowser) {
  ChildProgram doctor({"doctor", "--json"});
  const Ended ended = doctor.Wait();

  const json::object answer = ended.Answer();
  ASSERT_TRUE(answer.contains("checks")) << ended.out << ended.err;
  EXPECT_EQ(ended.exit_code, answer.at("ok").as_bool() ? 0 : 1);
  for (const json::value& check : answer.at("checks").as_array()) {
    const auto& name = check.at("name").as_string();
    const bool must_work = name == "headless shell" || name == "page" || name == "folders";
    if (must_work) EXPECT_EQ(check.at("status").as_string(), "ok") << json::serialize(check);
  }
  EXPECT_FALSE(std::filesystem::exists(doctor.folder() / "../.local")) << "it made a folder";
  EXPECT_EQ(doctor.LeftBehind(), std::vector<std::string>());
  EXPECT_EQ(doctor.Survivors(), std::vector<std::string>());
}

TEST(CliProgramTest, DoctorBlamesTheTemporaryFolderAndNotTheBrowser) {
  const Ended ended = RunProgram({"doctor"}, {"TMPDIR=/nowhere/tmp"});

  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_FALSE(ended.out.contains("apt install chromium-headless-shell")) << ended.out;
  EXPECT_TRUE(ended.out.contains("TMPDIR names \"/nowhere/tmp\"")) << ended.out;
  EXPECT_TRUE(ended.out.contains("fail  folders")) << ended.out;
}

TEST(CliProgramTest, DoctorNamesAHomeFolderThatIsNotThere) {
  const Ended ended = RunProgram({"doctor", "--json"}, {"HOME=/nowhere/home"});

  bool is_named = false;
  for (const json::value& check : ended.Answer().at("checks").as_array()) {
    if (check.at("name").as_string() != "folders") continue;
    is_named = std::string_view(check.at("detail").as_string()).contains("HOME names");
  }
  EXPECT_TRUE(is_named) << ended.out;
}

TEST(CliProgramTest, DoctorBlamesALowLimitAndNotTheBrowser) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit few{.rlim_cur = 24, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &few), 0);
  ChildProgram doctor({"doctor"});  // inherits the limit
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);

  const Ended ended = doctor.Wait();

  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_FALSE(ended.out.contains("apt install chromium-headless-shell")) << ended.out;
  EXPECT_TRUE(
      ended.out.contains("24 files may be open at once: in the shell that starts Falconer: ulimit "
                         "-n 4096"))
      << ended.out;
}

TEST(CliProgramTest, DoctorFailsWithACureWhenTheBrowserIsNotThere) {
  const Ended ended = RunProgram({"doctor", "--set", "browser.path=/nowhere/chromium"});

  EXPECT_EQ(ended.exit_code, 1);
  EXPECT_TRUE(ended.out.contains("fail  headless shell")) << ended.out;
  EXPECT_TRUE(ended.out.contains("cure: ")) << ended.out;
}

}  // namespace
}  // namespace falconer::test
