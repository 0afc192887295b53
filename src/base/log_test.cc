#include "base/log.h"

#include <algorithm>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"

namespace falconer {
namespace {

// Collects lines and puts the log back afterwards.
class LogTest : public testing::Test {
 protected:
  LogTest() {
    SetLogLevel(LogLevel::kInfo);
    SetLogSink([this](std::string_view line) { lines_.emplace_back(line); });
  }
  ~LogTest() override {
    SetLogLevel(LogLevel::kWarn);
    SetLogSink({});
    SetLogRedactor({});
  }

  json::object Line(std::size_t i) const { return ParseJsonObject(lines_.at(i)).value(); }

  std::vector<std::string> lines_;
};

TEST_F(LogTest, WritesOneJsonObjectPerLine) {
  LOG(info, "action.done", {"turn", "t\"1\n"}, {"ms", 12}, {"ok", true}, {"ratio", 0.5});

  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_FALSE(lines_[0].contains('\n'));
  const json::object line = Line(0);
  EXPECT_EQ(line.at("level").as_string(), "info");
  EXPECT_EQ(line.at("event").as_string(), "action.done");
  EXPECT_EQ(line.at("turn").as_string(), "t\"1\n");
  EXPECT_EQ(line.at("ms").as_int64(), 12);
  EXPECT_TRUE(line.at("ok").as_bool());
  EXPECT_EQ(line.at("ts").as_string().size(), std::string_view("2026-01-01T00:00:00.000Z").size());
}

TEST_F(LogTest, TakesAnEventWithoutFields) {
  LOG(error, "browser.gone");

  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_EQ(Line(0).at("level").as_string(), "error");
}

TEST_F(LogTest, DoesNotEvaluateFieldsOfALevelThatIsOff) {
  int evaluated = 0;
  LOG(debug, "cdp.sent", {"n", ++evaluated});
  EXPECT_EQ(evaluated, 0);
  EXPECT_TRUE(lines_.empty());

  SetLogLevel(LogLevel::kOff);
  LOG(error, "lost", {"n", ++evaluated});
  EXPECT_EQ(evaluated, 0);
  EXPECT_TRUE(lines_.empty());
}

TEST_F(LogTest, LetsTheRedactorReplaceValues) {
  SetLogRedactor([](std::string_view key, json::value& value) {
    if (key == "password") value = "***";
  });
  LOG(warn, "form.filled", {"password", "hunter2"}, {"user", "ann"});

  ASSERT_EQ(lines_.size(), 1U);
  EXPECT_EQ(Line(0).at("password").as_string(), "***");
  EXPECT_EQ(Line(0).at("user").as_string(), "ann");
}

TEST_F(LogTest, KeepsLinesOfSeveralThreadsWhole) {
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([t] {
        for (int i = 0; i < 50; ++i) LOG(info, "tick", {"thread", t}, {"i", i});
      });
    }
  }

  ASSERT_EQ(lines_.size(), 200U);
  for (std::size_t i = 0; i < lines_.size(); ++i)
    EXPECT_EQ(Line(i).at("event").as_string(), "tick");
}

TEST_F(LogTest, AppendsToAFile) {
  const Result<TempDir> folder = TempDir::Create("falconer-log-test-");
  ASSERT_TRUE(folder);
  for (int i = 0; i < 2; ++i) {
    Result<LogSink> sink = OpenLogFile(folder->path() / "log");
    ASSERT_TRUE(sink) << sink.error().message();
    SetLogSink(*std::move(sink));
    LOG(info, "started", {"i", i});
  }

  const Result<std::string> text = ReadFile(folder->path() / "log");
  ASSERT_TRUE(text);
  EXPECT_EQ(std::ranges::count(*text, '\n'), 2);
  EXPECT_FALSE(OpenLogFile(folder->path() / "no/such"));
}

TEST(LogLevelTest, HasNames) {
  for (const LogLevel level :
       {LogLevel::kDebug, LogLevel::kInfo, LogLevel::kWarn, LogLevel::kError, LogLevel::kOff}) {
    EXPECT_EQ(ParseLogLevel(LogLevelName(level)), level);
  }
  EXPECT_FALSE(ParseLogLevel("loud"));
}

}  // namespace
}  // namespace falconer
