#include "base/settings/settings.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/settings/setting_bindings.h"
#include "base/settings/settings_table.h"

namespace falconer {
namespace {

using std::chrono::milliseconds;

class SettingsTest : public testing::Test {
 protected:
  SettingsTest() : folder_(TempDir::Create("falconer-settings-test-").value()) {}

  // The settings of a file with this text.
  Result<LoadedSettings> File(std::string_view text) {
    EXPECT_TRUE(WriteFileAtomic(path(), text));
    return LoadSettings({.file = path()});
  }
  std::string WhyNotFile(std::string_view text) {
    std::string why = WhyNot(File(text));
    const std::string folder = folder_.path().string() + "/";
    if (why.starts_with(folder)) why.erase(0, folder.size());
    return why;
  }
  static std::string WhyNot(const Result<LoadedSettings>& settings) {
    if (settings) return "loaded";
    EXPECT_EQ(settings.error().code(), ErrorCode::kInvalidSetting);
    return settings.error().message();
  }
  std::filesystem::path path() const { return folder_.path() / "f.yaml"; }

  TempDir folder_;
};

TEST_F(SettingsTest, HasDefaults) {
  const Settings settings = DefaultSettings();

  EXPECT_EQ(settings.browser.count, 1);
  EXPECT_TRUE(settings.browser.headless);
  EXPECT_EQ(settings.browser.sandbox, SandboxSetting::kAuto);
  EXPECT_EQ(settings.browser.recycle_after_sessions, 50);
  EXPECT_EQ(settings.browser.max_age, milliseconds(1'800'000));
  EXPECT_EQ(settings.browser.idle_shutdown, milliseconds(120'000));
  EXPECT_EQ(settings.sessions.max, 200);
  EXPECT_EQ(settings.sessions.acquire_timeout, milliseconds(300'000));
  EXPECT_EQ(settings.viewport.width, 1440);
  EXPECT_EQ(settings.viewport.height, 900);
  EXPECT_EQ(settings.timeouts.general, milliseconds(20'000));
  EXPECT_EQ(settings.artifacts.max_bytes, 536'870'912);
  EXPECT_EQ(settings.state.max_elements, 48);
  EXPECT_EQ(settings.service_workers, ServiceWorkerSetting::kBlock);
}

TEST_F(SettingsTest, ReadsAFileNestedOrDotted) {
  const Result<LoadedSettings> loaded = File(
      "browser:\n  count: 3\n  extra_args: [--a, '--b=c d']\n  launch_timeout: 5s\n"
      "sessions.max: 7\nartifacts: {max_bytes: 64MiB}\nservice_workers: allow\n");

  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->values.browser.count, 3);
  EXPECT_EQ(loaded->values.browser.extra_args, (std::vector<std::string>{"--a", "--b=c d"}));
  EXPECT_EQ(loaded->values.browser.launch_timeout, milliseconds(5000));
  EXPECT_EQ(loaded->values.sessions.max, 7);
  EXPECT_EQ(loaded->values.artifacts.max_bytes, 64 << 20);
  EXPECT_EQ(loaded->values.service_workers, ServiceWorkerSetting::kAllow);
  EXPECT_TRUE(File("# nothing\n"));
}

TEST_F(SettingsTest, LetsTheEnvironmentOverruleTheFileAndFlagsBoth) {
  ASSERT_TRUE(WriteFileAtomic(path(), "sessions: {max: 1, prewarmed: 1}\nviewport.width: 1001\n"));
  const Result<LoadedSettings> loaded = LoadSettings(
      {.file = path(),
       .environment = {"FALCONER_SESSIONS_MAX=2", "FALCONER_SESSIONS_PREWARMED=2", "PATH=/bin"},
       .flags = {{"sessions.max", "9"}, {"sessions.max", "3"}}});

  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->values.sessions.max, 3);
  EXPECT_EQ(loaded->values.sessions.prewarmed, 2);
  EXPECT_EQ(loaded->values.viewport.width, 1001);
  EXPECT_EQ(loaded->sources.find("sessions.max")->second, "--set sessions.max");
  EXPECT_EQ(loaded->sources.find("sessions.prewarmed")->second,
            "environment FALCONER_SESSIONS_PREWARMED");
  EXPECT_EQ(loaded->sources.find("viewport.width")->second, path().string() + ":2");
}

TEST_F(SettingsTest, TakesTheFileNamedInTheEnvironment) {
  ASSERT_TRUE(WriteFileAtomic(path(), "sessions.max: 4"));
  const Result<LoadedSettings> loaded =
      LoadSettings({.environment = {"FALCONER_CONFIG=" + path().string()}});

  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->values.sessions.max, 4);
}

TEST_F(SettingsTest, UnderstandsOldNamesInTheirUnits) {
  const Result<LoadedSettings> loaded = LoadSettings(
      {.environment = {"BROWSER_IDLE_TIMEOUT=45", "BROWSER_MAX_CRAWLS=5", "BROWSER_TIMEOUT=1500",
                       "PREDATOR_V2_HEADLESS=0", "PREDATOR_V2_MAX_TOTAL_SESSIONS=6",
                       "BROWSER_POOL_SIZE=2", "FALCONER_BROWSER_COUNT=4", "PROXY_SERVER="}});

  ASSERT_TRUE(loaded) << loaded.error().message();
  EXPECT_EQ(loaded->values.browser.idle_shutdown, milliseconds(45'000));
  EXPECT_EQ(loaded->values.browser.recycle_after_sessions, 5);
  EXPECT_EQ(loaded->values.timeouts.navigation, milliseconds(1500));
  EXPECT_FALSE(loaded->values.browser.headless);
  EXPECT_EQ(loaded->values.sessions.max, 6);
  EXPECT_EQ(loaded->values.browser.count, 4) << "the new name wins";
  EXPECT_EQ(loaded->values.proxy.server, "") << "an empty variable says nothing";
}

TEST_F(SettingsTest, NamesThePlaceOfWhatIsWrongInAFile) {
  EXPECT_EQ(WhyNotFile("sessions:\n  max: many\n"),
            "f.yaml:2: sessions.max: expected number (1 to 100000), got \"many\"");
  EXPECT_EQ(WhyNotFile("\nsession: {max: 1}"), "f.yaml:2: there is no setting \"session.max\"");
  EXPECT_EQ(WhyNotFile("sessions.max: 1\n---\nsessions.max: 2\n"),
            "f.yaml:3: a settings file is one document");
  EXPECT_EQ(WhyNotFile("sessions.max: 1\nsessions: {max: 2}"),
            "f.yaml:2: sessions.max is given twice");
  EXPECT_EQ(WhyNotFile("sessions:\n  max:\n"), "f.yaml:2: sessions.max has no value");
  EXPECT_EQ(WhyNotFile("sessions: {max: [1, 2]}"), "f.yaml:1: sessions.max is not a list");
  EXPECT_EQ(WhyNotFile("browser.extra_args: [{a: 1}]"),
            "f.yaml:1: browser.extra_args is a list of strings");
  EXPECT_EQ(WhyNotFile("- a\n- b\n"), "f.yaml:1: a settings file holds \"key: value\" lines");
  EXPECT_TRUE(WhyNotFile("a: [1\nb: 2").starts_with("f.yaml:")) << WhyNotFile("a: [1\nb: 2");
  EXPECT_NE(WhyNotFile("a: &x {b: *x}"), "loaded");
  EXPECT_NE(WhyNotFile(std::string(2 << 20, '#')), "loaded");
}

TEST_F(SettingsTest, NamesThePlaceOfWhatIsWrongElsewhere) {
  EXPECT_EQ(WhyNot(LoadSettings({.environment = {"FALCONER_VIEWPORT_WIDTH=5"}})),
            "environment FALCONER_VIEWPORT_WIDTH: viewport.width: expected number (100 to "
            "10000), got \"5\"");
  EXPECT_EQ(WhyNot(LoadSettings({.environment = {"FALCONER_SESION_MAX=5"}})),
            "environment FALCONER_SESION_MAX: there is no such setting");
  EXPECT_EQ(
      WhyNot(LoadSettings({.flags = {{"browser.sandbox", "maybe"}}})),
      "--set browser.sandbox: browser.sandbox: expected choice (auto, on, off), got \"maybe\"");
  EXPECT_EQ(WhyNot(LoadSettings({.flags = {{"nothing", "1"}}})),
            "--set nothing: there is no setting \"nothing\"");
  EXPECT_EQ(LoadSettings({.file = path() / "none"}).error().code(), ErrorCode::kNotFound);
}

TEST_F(SettingsTest, SaysWhichFileCannotBeRead) {
  // A folder can be opened but not read, by root too.
  const Result<LoadedSettings> loaded = LoadSettings({.file = folder_.path()});

  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code(), ErrorCode::kIoError);
  EXPECT_TRUE(loaded.error().message().starts_with("the settings file: "))
      << loaded.error().message();
  EXPECT_EQ(loaded.error().details().at(kSettingsFileDetail).as_string(), folder_.path().string());
}

TEST_F(SettingsTest, RefusesAddressesThatNoBrowserCanHave) {
  for (const char* good : {"", "http://127.0.0.1:9222", "http://localhost", "http://[::1]:9222/",
                           "http://[::1]", "ws://h:65535/devtools/browser/1", "ws://h:1?a=b"}) {
    EXPECT_TRUE(LoadSettings({.flags = {{"browser.attach_url", good}}})) << good;
  }
  for (const char* bad :
       {"http://127.0.0.1:70000", "http://h:0", "http://h:-1", "http://h:9222x",
        "http://h:", "h:9222", "https://h:9222", "wss://h/", "ftp://h:21", "http://",
        "http://:9222", "ws:///path", "http://[::1", "http://[::1]:65536", "http://u:p@h:1"}) {
    EXPECT_EQ(WhyNot(LoadSettings({.flags = {{"browser.attach_url", bad}}})),
              "--set browser.attach_url: browser.attach_url: expected address (http://host:port or "
              "ws://host:port/path), got \"" +
                  std::string(bad) + "\"");
  }
}

TEST_F(SettingsTest, LeavesNamesAloneThatAreNoSettings) {
  EXPECT_TRUE(LoadSettings({.environment = {"FALCONER_TEST_KEEP=1", "odd"}}));
  EXPECT_FALSE(ProcessEnvironment().empty());
}

TEST_F(SettingsTest, MasksSecretsAndNamesSources) {
  const Result<LoadedSettings> loaded =
      LoadSettings({.flags = {{"proxy.server", "http://u:p@h"}, {"browser.count", "2"}}});
  ASSERT_TRUE(loaded);
  const std::string shown = json::serialize(ShowSettings(*loaded));

  EXPECT_FALSE(shown.contains("u:p")) << shown;
  EXPECT_TRUE(
      shown.contains(R"({"key":"proxy.server","value":"***","source":"--set proxy.server"})"))
      << shown;
  EXPECT_TRUE(
      shown.contains(R"({"key":"browser.count","value":"2","source":"--set browser.count"})"))
      << shown;
  EXPECT_TRUE(shown.contains(R"({"key":"sessions.max","value":"200","source":"default"})"))
      << shown;
}

TEST_F(SettingsTest, ReadsRecordsFromTheFileAndFromText) {
  const auto folder = TempDir::Create("falconer-records-").value();
  const auto file = folder.path() / "f.yaml";
  ASSERT_TRUE(WriteFileAtomic(file,
                              "agent:\n  providers:\n    - name: near\n      context: 8192\n"
                              "      price_in: 0.5\n      vision: true\n      model: \"7\"\n"
                              "      key: {secret: NEAR}\n"));

  const auto from_file = LoadSettings({.file = file, .environment = {}, .flags = {}});
  const auto from_text = LoadSettings(
      {.file = {}, .environment = {}, .flags = {{"agent.providers", R"([{"name":"near"}])"}}});
  const auto bare = LoadSettings(
      {.file = {}, .environment = {}, .flags = {{"agent.providers", R"(["sk-bare"])"}}});

  ASSERT_TRUE(from_file) << from_file.error().message();
  EXPECT_EQ(json::serialize(from_file->values.agent.providers),
            R"([{"name":"near","context":8192,"price_in":5E-1,"vision":true,"model":"7",)"
            R"("key":{"secret":"NEAR"}}])");
  ASSERT_TRUE(from_text) << from_text.error().message();
  EXPECT_EQ(from_text->values.agent.providers.size(), 1U);
  ASSERT_FALSE(bare);
  EXPECT_FALSE(bare.error().message().contains("sk-bare")) << bare.error().message();
}

TEST(SettingsTableTest, EveryRowIsSound) {
  std::set<std::string> names;
  for (const SettingRow& row : AllSettings()) {
    EXPECT_TRUE(names.insert(std::string(row.key)).second) << row.key;
    EXPECT_TRUE(names.insert(EnvironmentName(row)).second) << row.key;
    for (const OldName& old : row.old_names) {
      if (!old.name.empty()) EXPECT_TRUE(names.insert(std::string(old.name)).second) << old.name;
    }
    EXPECT_TRUE(row.help.ends_with('.')) << row.key;
    EXPECT_EQ(SettingNamed(row.key), &row);
    EXPECT_TRUE(DescribeSettings().contains(row.key));
  }
}

TEST(SettingsTableTest, EveryDefaultReadsBackAsItPrints) {
  const Settings defaults = DefaultSettings();
  for (const SettingRow& row : AllSettings()) {
    Settings again;
    const std::string printed = row.binding.print(defaults);
    EXPECT_TRUE(row.binding.parse(printed, again)) << row.key << " = " << printed;
    EXPECT_EQ(row.binding.print(again), printed) << row.key;
  }
}

TEST(SettingsTableTest, NumbersAreRefusedOutsideTheirBounds) {
  const std::set<std::string_view> may_be_empty{"text", "path", "list", "address"};
  for (const SettingRow& row : AllSettings()) {
    if (may_be_empty.contains(row.binding.type)) continue;
    Settings settings;
    for (const std::string_view text : {"", "-1", "x", "99999999999999999999"}) {
      EXPECT_FALSE(row.binding.parse(text, settings)) << row.key << " = " << text;
    }
  }
}

TEST(SettingsTableTest, ThePagePromisesNoReload) {
  EXPECT_FALSE(SettingsMarkdown().contains("| at once |"));
  EXPECT_TRUE(SettingsMarkdown().contains("read once,\nat start"));
}

TEST(SettingsTableTest, TheDocumentedPageIsTheTable) {
  const auto page = std::filesystem::path(__FILE__).parent_path() / "../../../docs/config.md";
  const Result<std::string> text = ReadFile(page);

  ASSERT_TRUE(text) << text.error().message();
  EXPECT_EQ(*text, SettingsMarkdown()) << "run: make docs";
}

TEST(SettingBindingsTest, ReadsFractions) {
  EXPECT_EQ(ParseFraction("0"), 0);
  EXPECT_EQ(ParseFraction("0.25"), 0.25);
  EXPECT_EQ(ParseFraction("1"), 1);
  for (const char* bad : {"", "-0.1", "1.1", "half", "nan", "0.5x", "1e400"})
    EXPECT_FALSE(ParseFraction(bad)) << bad;
}

}  // namespace
}  // namespace falconer
