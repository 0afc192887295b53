#include "browser/tabs/console_log.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/async/fake_clock.h"
#include "base/utf8.h"
#include "cdp/connection.h"
#include "tests/support/fake_cdp_peer.h"

namespace falconer::browser {
namespace {

using test::FakeCdpPeer;

class ConsoleLogTest : public testing::Test {
 protected:
  ConsoleLogTest() {
    peer.Attach("P");
    session = connection.FindSession("P");
    log.Follow(session);
  }

  void Call(std::string_view type, std::string_view args, int context = 1) {
    peer.Event(
        "P", "Runtime.consoleAPICalled",
        R"({"type":")" + std::string(type) + R"(","args":)" + std::string(args) +
            R"(,"executionContextId":)" + std::to_string(context) +
            R"(,"timestamp":1700000000123.4,"stackTrace":{"callFrames":[)"
            R"({"functionName":"f","url":"http://a.test/app.js","lineNumber":9,"columnNumber":1}]}})");
  }
  void Say(std::string_view text) {
    Call("log", json::serialize(json::array{json::object{{"type", "string"}, {"value", text}}}));
  }
  ConsoleEntry Last() const {
    const auto all = log.EntriesSince(0);
    if (!all.empty()) return all.back();
    ADD_FAILURE() << "nothing was logged";
    return {};
  }

  boost::asio::io_context io;
  FakeClock clock;
  FakeCdpPeer peer{io.get_executor()};
  cdp::Connection connection{io.get_executor(), clock, peer.MakeTransport(), {}};
  std::shared_ptr<cdp::Session> session;
  Notifier changes;
  ConsoleLog log{changes, 5};
};

TEST_F(ConsoleLogTest, JoinsTheArgumentsOfACall) {
  Call("log", R"x([{"type":"string","value":"total"},{"type":"number","value":3},
                  {"type":"boolean","value":true},{"type":"undefined"},
                  {"type":"object","subtype":"null","value":null},
                  {"type":"number","unserializableValue":"NaN","description":"NaN"},
                  {"type":"object","className":"Array","description":"Array(2)","objectId":"o1"}])x");

  const ConsoleEntry entry = Last();
  EXPECT_EQ(entry.message, "total 3 true undefined null NaN Array(2)");
  EXPECT_EQ(entry.kind, ConsoleKind::kConsole);
  EXPECT_EQ(entry.level, "info");
  EXPECT_EQ(entry.seq, 1u);
  EXPECT_EQ(entry.ts.count(), 1700000000123);
  EXPECT_EQ(entry.url, "http://a.test/app.js");
  EXPECT_EQ(entry.line, 10);
}

TEST_F(ConsoleLogTest, MapsTheKindsOfCallsToLevels) {
  struct Case {
    std::string_view type;
    std::string_view level;
  };
  for (const Case& c : {Case{"error", "error"}, Case{"assert", "error"}, Case{"warning", "warning"},
                        Case{"debug", "debug"}, Case{"trace", "info"}, Case{"table", "info"}}) {
    Call(c.type, R"([{"type":"string","value":"x"}])");
    EXPECT_EQ(Last().level, c.level) << c.type;
  }
}

TEST_F(ConsoleLogTest, LetsGoOfThePagesObjects) {
  Call("log", R"([{"type":"object","description":"Object","objectId":"o1"},
                  {"type":"string","value":"x"},
                  {"type":"object","description":"Object","objectId":"o2"}])");
  peer.Event("P", "Runtime.exceptionThrown",
             R"({"timestamp":1,"exceptionDetails":{"text":"Uncaught",
                 "exception":{"type":"object","description":"Error: x","objectId":"o3"}}})");

  ASSERT_EQ(peer.CountOf("Runtime.releaseObject"), 3u);
  EXPECT_EQ(peer.sent()[0].params.at("objectId"), "o1");
  EXPECT_EQ(peer.sent()[2].params.at("objectId"), "o3");
}

TEST_F(ConsoleLogTest, DropsWhatTheBrowserRepeats) {
  Call("log", R"([{"type":"object","description":"Object","objectId":"o1"}])", 0);

  EXPECT_EQ(log.last_seq(), 0u);
  EXPECT_EQ(peer.CountOf("Runtime.releaseObject"), 1u) << "its objects are real all the same";
}

TEST_F(ConsoleLogTest, DropsCallsThatSayNothing) {
  for (const std::string_view type : {"clear", "endGroup", "profile", "profileEnd"})
    Call(type, "[]");

  EXPECT_EQ(log.last_seq(), 0u);
}

TEST_F(ConsoleLogTest, ReportsErrorsNobodyCaught) {
  peer.Event("P", "Runtime.exceptionThrown",
             R"({"timestamp":1700000000000,"exceptionDetails":{"exceptionId":1,"text":"Uncaught",
                 "lineNumber":4,"columnNumber":2,"url":"http://a.test/x.js",
                 "exception":{"type":"object","subtype":"error","className":"TypeError",
                 "description":"TypeError: f is not a function\n    at http://a.test/x.js:5:3"}}})");
  EXPECT_EQ(Last().kind, ConsoleKind::kPageError);
  EXPECT_EQ(Last().level, "error");
  EXPECT_EQ(Last().message, "Uncaught TypeError: f is not a function");
  EXPECT_EQ(Last().url, "http://a.test/x.js");
  EXPECT_EQ(Last().line, 5);

  peer.Event("P", "Runtime.exceptionThrown",
             R"x({"timestamp":1,"exceptionDetails":{"text":"Uncaught (in promise)","lineNumber":0,
                 "exception":{"type":"string","value":"no"},
                 "stackTrace":{"callFrames":[{"url":"http://a.test/y.js","lineNumber":7}]}}})x");
  EXPECT_EQ(Last().message, "Uncaught (in promise) no");
  EXPECT_EQ(Last().url, "http://a.test/y.js");
  EXPECT_EQ(Last().line, 8);
}

TEST_F(ConsoleLogTest, ReportsTheBrowsersOwnRemarks) {
  peer.Event("P", "Log.entryAdded",
             R"x({"entry":{"source":"network","level":"error","text":"404 (Not Found)",
                 "timestamp":1700000000001,"url":"http://a.test/missing.png"}})x");
  EXPECT_EQ(Last().kind, ConsoleKind::kLog);
  EXPECT_EQ(Last().level, "error");
  EXPECT_EQ(Last().ts.count(), 1700000000001);
  EXPECT_EQ(Last().line, 0);

  peer.Event("P", "Log.entryAdded",
             R"({"entry":{"source":"other","level":"verbose","text":"t","timestamp":1}})");
  EXPECT_EQ(Last().level, "debug");
}

TEST_F(ConsoleLogTest, CutsLongMessagesBetweenCharacters) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "\xE2\x82\xAC";
  Say(text);

  EXPECT_EQ(Last().message.size(), 3 * kMaxConsoleMessage);
  EXPECT_TRUE(IsValidUtf8(Last().message));
}

TEST_F(ConsoleLogTest, HalfACharacterIsReplaced) {
  peer.Push(
      R"({"sessionId":"P","method":"Runtime.consoleAPICalled","params":{"type":"log",)"
      R"("args":[{"type":"string","value":"a\ud800b"}],"executionContextId":1,"timestamp":1}})");

  EXPECT_EQ(Last().message,
            "a\xEF\xBF\xBD"
            "b");
}

TEST_F(ConsoleLogTest, KeepsTheNewestAndCountsWhatIsLost) {
  std::vector<std::uint64_t> heard;
  const auto subscription =
      log.on_entry().Subscribe([&](const ConsoleEntry& e) { heard.push_back(e.seq); });
  for (int i = 1; i <= 8; ++i) Say(std::to_string(i));

  EXPECT_EQ(heard.size(), 8u);
  EXPECT_EQ(log.last_seq(), 8u);
  EXPECT_EQ(log.EntriesSince(0).size(), 5u);
  EXPECT_EQ(log.EntriesSince(0).front().message, "4");
  EXPECT_EQ(log.EntriesSince(7).size(), 1u);
  EXPECT_EQ(log.DroppedSince(0), 3u);
  EXPECT_EQ(log.DroppedSince(3), 0u);
}

TEST_F(ConsoleLogTest, ListensUntilTheSessionCloses) {
  log.Follow(session);
  Say("one");
  EXPECT_EQ(log.last_seq(), 1u) << "following twice counts once";

  peer.Detach("P");
  log.Unfollow(*session);
  Say("two");

  EXPECT_EQ(log.last_seq(), 1u);
}

TEST_F(ConsoleLogTest, HasAJsonForm) {
  Say("hello");

  EXPECT_EQ(Last().ToJson(), (json::object{{"seq", 1},
                                           {"ts", 1700000000123},
                                           {"kind", "console"},
                                           {"level", "info"},
                                           {"message", "hello"},
                                           {"url", "http://a.test/app.js"},
                                           {"line", 10}}));
}

}  // namespace
}  // namespace falconer::browser
