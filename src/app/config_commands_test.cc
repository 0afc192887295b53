#include "app/config_commands.h"

#include <sstream>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/settings/settings_table.h"

namespace falconer::app {
namespace {

class ConfigCommandsTest : public testing::Test {
 protected:
  ConfigCommandsTest() : folder_(TempDir::Create("falconer-config-test-").value()) {}

  std::filesystem::path File(std::string_view text) {
    const auto path = folder_.path() / "f.yaml";
    EXPECT_TRUE(WriteFileAtomic(path, text));
    return path;
  }
  json::object Answer() const {
    const auto parsed = ParseJsonObject(out_.str());
    EXPECT_TRUE(parsed) << out_.str();
    return parsed.value_or(json::object());
  }
  // The row of a setting in the answer of `config show --json`.
  json::value Row(std::string_view key) const {
    for (const json::value& row : Answer().at("settings").as_array()) {
      if (row.at("key").as_string() == key) return row;
    }
    return nullptr;
  }

  TempDir folder_;
  Arguments arguments_;
  std::ostringstream out_;
  std::ostringstream err_;
  Terminal terminal_{out_, err_, Colour::kOff};
};

TEST_F(ConfigCommandsTest, ShowSaysWhereEachValueComesFrom) {
  arguments_.wants_json = true;
  arguments_.config = File("sessions:\n  max: 7\n");
  arguments_.environment = {"FALCONER_BROWSER_COUNT=3"};
  arguments_.settings = {"timeouts.default=9s"};

  EXPECT_EQ(RunConfigShow(arguments_, terminal_), kExitOk);

  EXPECT_EQ(Answer().at("settings").as_array().size(), AllSettings().size());
  EXPECT_EQ(Row("sessions.max").at("value").as_string(), "7");
  EXPECT_TRUE(Row("sessions.max").at("source").as_string().ends_with("f.yaml:2"));
  EXPECT_EQ(Row("browser.count").at("source").as_string(), "environment FALCONER_BROWSER_COUNT");
  EXPECT_EQ(Row("timeouts.default").at("source").as_string(), "--set timeouts.default");
  EXPECT_EQ(Row("viewport.width").at("source").as_string(), "default");
}

TEST_F(ConfigCommandsTest, ShowMasksSecretsInBothForms) {
  arguments_.settings = {"proxy.server=http://me:hunter2@proxy:1"};

  EXPECT_EQ(RunConfigShow(arguments_, terminal_), kExitOk);
  arguments_.wants_json = true;
  EXPECT_EQ(RunConfigShow(arguments_, terminal_), kExitOk);

  EXPECT_FALSE(out_.str().contains("hunter2")) << out_.str();
  EXPECT_TRUE(out_.str().contains("***")) << out_.str();
}

TEST_F(ConfigCommandsTest, ShowRefusesBadSettingsAsWrongUsage) {
  arguments_.environment = {"FALCONER_SESSIONS_MAX=many"};

  EXPECT_EQ(RunConfigShow(arguments_, terminal_), kExitUsage);

  EXPECT_TRUE(err_.str().contains("INVALID_SETTING")) << err_.str();
  EXPECT_EQ(out_.str(), "");
}

TEST_F(ConfigCommandsTest, ValidateCountsWhatAGoodFileSets) {
  arguments_.file = File("sessions.max: 7\nbrowser:\n  count: 2\n");

  EXPECT_EQ(RunConfigValidate(arguments_, terminal_), kExitOk);

  EXPECT_TRUE(out_.str().contains("ok, 2 settings")) << out_.str();
}

TEST_F(ConfigCommandsTest, ValidateLooksAtNothingButTheFile) {
  arguments_.file = File("sessions.max: 7\n");
  arguments_.environment = {"FALCONER_SESSIONS_MAX=many"};

  EXPECT_EQ(RunConfigValidate(arguments_, terminal_), kExitOk);
}

TEST_F(ConfigCommandsTest, ValidateNamesThePlaceOfAMistake) {
  arguments_.wants_json = true;
  arguments_.file = File("sessions:\n  max: 7\n  min: 1\n");

  EXPECT_EQ(RunConfigValidate(arguments_, terminal_), kExitUsage);

  const json::object answer = Answer();
  EXPECT_EQ(answer.at("ok"), false);
  EXPECT_EQ(answer.at("error").at("code").as_string(), "INVALID_SETTING");
  EXPECT_TRUE(std::string_view(answer.at("error").at("message").as_string()).contains("f.yaml:3"));
}

TEST_F(ConfigCommandsTest, ValidateRefusesAFileThatIsNotThereLikeEveryCommand) {
  arguments_.file = folder_.path() / "missing.yaml";

  EXPECT_EQ(RunConfigValidate(arguments_, terminal_), kExitUsage);

  EXPECT_TRUE(err_.str().contains("NOT_FOUND")) << err_.str();
}

TEST_F(ConfigCommandsTest, HintsAtTheFileThatCannotBeRead) {
  arguments_.config = folder_.path();

  EXPECT_EQ(RunConfigShow(arguments_, terminal_), kExitUsage);

  EXPECT_TRUE(err_.str().contains("hint:  " + folder_.path().string() + " must be a file"))
      << err_.str();
}

TEST_F(ConfigCommandsTest, SchemaIsTheSameInBothForms) {
  EXPECT_EQ(RunConfigSchema(arguments_, terminal_), kExitOk);
  const auto indented = ParseJson(out_.str());
  ASSERT_TRUE(indented) << out_.str();
  EXPECT_TRUE(out_.str().contains("\n  \"properties\": {\n"));

  out_.str("");
  arguments_.wants_json = true;
  EXPECT_EQ(RunConfigSchema(arguments_, terminal_), kExitOk);

  EXPECT_EQ(json::value(Answer()), *indented);
}

TEST_F(ConfigCommandsTest, DocsIsThePageOfTheTable) {
  EXPECT_EQ(RunConfigDocs(arguments_, terminal_), kExitOk);
  EXPECT_EQ(out_.str(), SettingsMarkdown());
}

}  // namespace
}  // namespace falconer::app
