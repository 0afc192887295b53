// `falconer mcp` as a client sees it, with a real browser and the test site.

#include <csignal>
#include <fstream>

#include <gtest/gtest.h>

#include "tests/api/mcp_client.h"
#include "tests/support/test_site.h"

namespace falconer::test {
namespace {

// Lets the site be visited, and nothing else.
std::vector<std::string> Allowed(std::vector<std::string> more = {}) {
  more.emplace_back("policy.allow_domains=127.0.0.1");
  more.emplace_back("data.dir=data");
  return more;
}

json::object Go(const TestSite& site, std::string_view path) {
  return {{"url", site.Url(path)}};
}

TEST(McpTest, AnswersTheProtocolWhateverCannotBeOpened) {
  McpClient client({"data.dir=/dev/null/data"});

  const auto hello = client.Ask("initialize", {{"protocolVersion", "2025-11-25"},
                                               {"capabilities", json::object{}},
                                               {"clientInfo", {{"name", "t"}, {"version", "1"}}}});
  const ToolReply refused = client.Call("browser_snapshot", {});
  const auto still_there = client.Ask("ping", {});

  EXPECT_EQ(hello.at("result").at("protocolVersion").as_string(), "2025-11-25");
  EXPECT_TRUE(TextAt(hello.at("result").as_object(), "instructions").contains("session"));
  EXPECT_TRUE(refused.is_error);
  EXPECT_TRUE(refused.text.starts_with("error IO_ERROR: ")) << refused.text;
  EXPECT_TRUE(still_there.contains("result"));
  client.program().CloseInput();
  EXPECT_EQ(client.program().Wait().exit_code, 0);
}

TEST(McpTest, TheDefaultListIsSmallAndGroupsAddToIt) {
  McpClient core({"data.dir=data"});
  McpClient all({"data.dir=data"}, {"--tools", "all"});

  const auto small = core.Ask("tools/list", {}).at("result").at("tools");
  const auto large = all.Ask("tools/list", {}).at("result").at("tools");

  EXPECT_LT(json::serialize(small).size(), 12u * 1024);
  EXPECT_EQ(small.as_array().size(), 22u);
  EXPECT_EQ(large.as_array().size(), 40u);
  const Ended wrong = RunProgram({"mcp", "--tools", "vision"});
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_TRUE(wrong.err.contains("there is no group \"vision\"")) << wrong.err;
}

TEST(McpTest, AFormIsFilledAndSentInAFewShortAnswers) {
  TestSite site;
  McpClient client(Allowed());

  const ToolReply page = client.Call("browser_navigate", Go(site, "/form.html"));
  const ToolReply filled = client.Call(
      "browser_fill_form",
      {{"fields",
        {{{"target", McpClient::RefOf(page.text, "textbox \"Name\"")}, {"value", "Ada"}},
         {{"target", "label=Email"}, {"value", "ada@example.com"}},
         {{"target", "#agree"}, {"value", "true"}},
         {{"target", "#country"}, {"value", "is"}},
         {{"target", "#notes"}, {"value", "hello"}}}}});
  const ToolReply sent = client.Call("browser_click", {{"target", "#submit"}});

  EXPECT_TRUE(page.text.starts_with("ok\npage \"Form with every control\"")) << page.text;
  EXPECT_EQ(filled.head(), "ok 5 fields") << filled.text;
  EXPECT_FALSE(filled.Says("Ada")) << filled.text;
  EXPECT_LT(filled.text.size(), 300u) << filled.text;
  EXPECT_EQ(sent.head(), "ok") << sent.text;
  EXPECT_LT(sent.text.size(), 400u) << sent.text;
  EXPECT_EQ(site.EffectCount("submit"), 1u);
  const auto effects = site.Effects("submit");
  ASSERT_EQ(effects.size(), 1u);
  EXPECT_TRUE(json::serialize(effects[0].detail).contains(R"("country":"is")"));
}

TEST(McpTest, AFormStopsAtTheFirstFailureAndSaysHowFarItCame) {
  TestSite site;
  McpClient client(Allowed());
  client.Call("browser_navigate", Go(site, "/form.html"));

  const ToolReply reply =
      client.Call("browser_fill_form", {{"fields",
                                         {{{"target", "#name"}, {"value", "Ada"}},
                                          {{"target", "#agree"}, {"value", "perhaps"}},
                                          {{"target", "#notes"}, {"value", "never"}}}}});

  EXPECT_TRUE(reply.is_error);
  EXPECT_TRUE(reply.text.starts_with("error INVALID_ARGUMENT: value")) << reply.text;
  EXPECT_TRUE(reply.Says("1 of 3 fields done, stopped at \"#agree\"")) << reply.text;
  EXPECT_EQ(site.EffectCount("input notes"), 0u);
}

TEST(McpTest, ClickingTwiceIsTwoActions) {
  TestSite site;
  McpClient client(Allowed());
  client.Call("browser_navigate", Go(site, "/form.html"));

  EXPECT_EQ(client.Call("browser_click", {{"target", "#save"}}).head(), "ok");
  EXPECT_EQ(client.Call("browser_click", {{"ref", ""}}).head().substr(0, 6), "error ");
  EXPECT_EQ(client.Call("browser_click", {{"selector", "#save"}, {"element", "Save"}}).head(),
            "ok");

  EXPECT_EQ(site.EffectCount("click save"), 2u);
}

TEST(McpTest, SessionsAreIsolatedAndEndByName) {
  TestSite site;
  McpClient client(Allowed(), {"--tools", "audit"});
  client.Call("browser_navigate", Go(site, "/cookies/set?a=1"));

  json::object elsewhere = Go(site, "/cookies/read");
  elsewhere["session"] = "other";
  const ToolReply other = client.Call("browser_navigate", elsewhere);
  const ToolReply mine = client.Call("browser_navigate", Go(site, "/cookies/read"));
  const ToolReply both = client.Call("get_health", {});
  client.Call("browser_close", {{"session", "other"}});
  const ToolReply one = client.Call("get_health", {});
  client.Call("browser_close", {});
  const ToolReply none = client.Call("get_health", {});

  // Whose cookie it is can be told; its value is nobody's business.
  EXPECT_FALSE(other.Says("a=")) << other.text;
  EXPECT_TRUE(mine.Says("a=********")) << mine.text;
  EXPECT_TRUE(both.Says("sessions 2, leases 2")) << both.text;
  EXPECT_TRUE(one.Says("sessions 1, leases 1")) << one.text;
  EXPECT_TRUE(none.Says("browsers 1, sessions 0, leases 0")) << "it still runs: " << none.text;
  EXPECT_TRUE(none.Says("browser 1 ")) << none.text;
}

TEST(McpTest, ALedgerThatCannotBeReadIsNotCalledEmpty) {
  TestSite site;
  McpClient client(Allowed(), {"--tools", "audit"});
  client.Call("browser_navigate", Go(site, "/empty.html"));
  const ToolReply before = client.Call("get_health", {});
  const auto data = client.program().folder();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(data)) {
    if (entry.path().extension() == ".seg") std::ofstream(entry.path(), std::ios::trunc) << "dust";
  }

  const ToolReply after = client.Call("get_health", {});

  EXPECT_FALSE(before.is_error) << before.text;
  EXPECT_TRUE(after.is_error) << after.text;
  EXPECT_TRUE(after.Says("cannot be read: ")) << after.text;
}

TEST(McpTest, APageReachedFromAnotherIsToldAsAWhole) {
  TestSite site;
  site.Serve("/letter", "<title>Letter</title><p>Nothing to act on here.</p>");
  site.Serve("/reply", "<title>Reply</title><p>Nothing here either.</p>");
  McpClient client(Allowed());

  const ToolReply first = client.Call("browser_navigate", Go(site, "/letter"));
  const ToolReply second = client.Call("browser_navigate", Go(site, "/reply"));
  const ToolReply form = client.Call("browser_navigate", Go(site, "/form.html"));

  EXPECT_TRUE(first.text.starts_with("ok\npage \"Letter\"")) << first.text;
  EXPECT_TRUE(second.text.starts_with("ok\npage \"Reply\" ")) << second.text;
  EXPECT_TRUE(form.text.starts_with("ok\npage \"Form with every control\"")) << form.text;
  EXPECT_FALSE(second.Says("\n+ ") || form.Says("\n+ ")) << second.text << form.text;
}

TEST(McpTest, ADialogIsToldAndAnswered) {
  TestSite site;
  McpClient client(Allowed());
  client.Call("browser_navigate", Go(site, "/dialogs.html"));

  const ToolReply asked = client.Call("browser_click", {{"target", "#confirm"}});
  const ToolReply blocked = client.Call("browser_click", {{"target", "#alert"}});
  const ToolReply answered = client.Call("browser_handle_dialog", {{"accept", true}});
  client.Call("browser_click", {{"target", "#alert"}});
  const ToolReply behind = client.Call("browser_click", {{"target", "#confirm"}});

  EXPECT_TRUE(asked.Says("dialog confirm \"Delete all?\"")) << asked.text;
  EXPECT_TRUE(blocked.text.starts_with("error DIALOG_OPEN: the page shows a confirm dialog"))
      << blocked.text;
  EXPECT_TRUE(blocked.Says("browser_handle_dialog")) << blocked.text;
  EXPECT_TRUE(behind.Says("shows an alert dialog")) << behind.text;
  EXPECT_EQ(answered.head(), "ok") << answered.text;
  EXPECT_LT(answered.text.size(), 300u) << "the page was known: " << answered.text;
  EXPECT_EQ(json::serialize(site.Effects("confirmed")[0].detail), "true");
}

TEST(McpTest, PicturesAndDocumentsAreKept) {
  TestSite site;
  McpClient client(Allowed());
  client.Call("browser_navigate", Go(site, "/colours.html"));

  const ToolReply picture = client.Call("browser_take_screenshot", {{"type", "png"}});
  const ToolReply document = client.Call("browser_pdf_save", {});

  EXPECT_TRUE(picture.text.starts_with("ok art_")) << picture.text;
  EXPECT_TRUE(picture.image.starts_with("iVBOR")) << picture.image.substr(0, 20);
  EXPECT_TRUE(document.text.starts_with("ok art_")) << document.text;
  const std::filesystem::path file(document.text.substr(document.text.find('\n') + 1));
  EXPECT_TRUE(ReadFile(client.program().folder() / file, 5).value_or("").starts_with("%PDF-"))
      << file;
}

TEST(McpTest, ThePageIsReadInMoreThanOneWay) {
  TestSite site;
  McpClient client(Allowed(), {"--tools", "contract"});
  client.Call("browser_navigate", Go(site, "/console.html"));

  const ToolReply state = client.Call("get_state", {});
  const std::string id = state.text.substr(6, state.text.find(' ', 6) - 6);
  const ToolReply same = client.Call("get_state", {{"since", id}});
  const ToolReply short_one = client.Call("browser_snapshot", {{"max_tokens", 100}});
  const ToolReply found = client.Call("find", {{"text", "flood"}});
  const ToolReply script = client.Call("browser_evaluate", {{"function", "() => 6 * 7"}});
  const ToolReply requests = client.Call("browser_network_requests", {});
  const ToolReply messages = client.Call("browser_console_messages", {{"level", "error"}});

  EXPECT_TRUE(state.text.starts_with("state s_")) << state.text;
  EXPECT_TRUE(same.Says("nothing changed")) << same.text;
  EXPECT_LT(short_one.text.size(), state.text.size()) << short_one.text;
  EXPECT_TRUE(found.Says(" found\nd")) << found.text;
  EXPECT_EQ(script.head(), "ok 42") << script.text;
  EXPECT_TRUE(requests.Says("/console.html\" 200")) << requests.text;
  EXPECT_FALSE(messages.is_error) << messages.text;
}

TEST(McpTest, WaitsForWhatIsToCome) {
  TestSite site;
  McpClient client(Allowed());
  client.Call("browser_navigate", Go(site, "/slow_spa.html?ms=300"));

  const ToolReply came = client.Call("browser_wait_for", {{"target", "button"}, {"time", 10}});
  const ToolReply never = client.Call("browser_wait_for", {{"text", "Nowhere"}, {"time", 0.2}});
  const ToolReply quiet = client.Call("browser_wait_for", {{"time", 0.2}});

  EXPECT_EQ(came.head(), "ok") << came.text;
  EXPECT_TRUE(never.text.starts_with("error WAIT_TIMEOUT")) << never.text;
  EXPECT_TRUE(never.Says("retry: yes")) << never.text;
  EXPECT_EQ(quiet.text, "ok\nnothing changed");
}

TEST(McpTest, TabsAreOpenedListedAndClosed) {
  TestSite site;
  McpClient client(Allowed());
  client.Call("browser_navigate", Go(site, "/empty.html"));

  json::object open = Go(site, "/form.html");
  open["action"] = "new";
  const ToolReply opened = client.Call("browser_tabs", open);
  const ToolReply both = client.Call("browser_tabs", {{"action", "list"}});
  const ToolReply chosen = client.Call("browser_tabs", {{"action", "select"}, {"index", 0}});
  const ToolReply closed = client.Call("browser_tabs", {{"action", "close"}, {"tab", "t2"}});
  const ToolReply one = client.Call("browser_tabs", {{"action", "list"}});

  EXPECT_TRUE(opened.Says("page \"Form with every control\"")) << opened.text;
  EXPECT_TRUE(both.Says("tab t2*")) << both.text;
  EXPECT_EQ(chosen.head(), "ok") << chosen.text;
  EXPECT_EQ(closed.head(), "ok") << closed.text;
  EXPECT_TRUE(one.text.starts_with("tab t1* ")) << one.text;
  EXPECT_FALSE(one.Says("t2")) << one.text;
}

TEST(McpTest, FilesComeFromTheInboxOnly) {
  TestSite site;
  McpClient client(Allowed({"artifacts.inbox=inbox"}));
  const auto inbox = client.program().folder() / "inbox";
  std::filesystem::create_directories(inbox);
  std::ofstream(inbox / "bird.txt") << "a falcon";
  client.Call("browser_navigate", Go(site, "/upload.html"));

  const ToolReply given =
      client.Call("browser_file_upload", {{"target", "#one"}, {"paths", {"bird.txt"}}});
  const ToolReply outside =
      client.Call("browser_file_upload", {{"target", "#one"}, {"paths", {"../../etc/passwd"}}});

  EXPECT_EQ(given.head(), "ok") << given.text;
  EXPECT_TRUE(outside.is_error) << outside.text;
  EXPECT_TRUE(client
                  .Call("browser_evaluate",
                        {{"function", "() => document.querySelector('#one').files[0].name"}})
                  .Says("bird.txt"));
}

TEST(McpTest, AnOpenFileChooserIsToldAndAnswered) {
  TestSite site;
  McpClient client(Allowed({"artifacts.inbox=inbox"}));
  const auto inbox = client.program().folder() / "inbox";
  std::filesystem::create_directories(inbox);
  std::ofstream(inbox / "bird.txt") << "a falcon";
  client.Call("browser_navigate", Go(site, "/upload.html"));

  const ToolReply early = client.Call("browser_file_upload", {{"paths", {"bird.txt"}}});
  const ToolReply opened = client.Call("browser_click", {{"target", "#chooser"}});
  const ToolReply given = client.Call("browser_file_upload", {{"paths", {"bird.txt"}}});

  EXPECT_TRUE(early.text.starts_with("error NO_DIALOG: upload: no file chooser is open"))
      << early.text;
  EXPECT_TRUE(opened.Says("a file chooser is open")) << opened.text;
  EXPECT_EQ(given.head(), "ok") << given.text;
  EXPECT_FALSE(given.Says("chooser is open")) << given.text;
  EXPECT_TRUE(client
                  .Call("browser_evaluate",
                        {{"function", "() => document.querySelector('#one').files[0].name"}})
                  .Says("bird.txt"));
}

TEST(McpTest, ALongAnswerOfAScriptIsCutAndSaysSo) {
  McpClient client(Allowed());
  client.Call("browser_navigate", {{"url", "about:blank"}});

  const ToolReply whole =
      client.Call("browser_evaluate", {{"function", "() => 'falcon '.repeat(500)"}});
  const ToolReply cut =
      client.Call("browser_evaluate", {{"function", "() => 'falcon '.repeat(50000)"}});

  EXPECT_EQ(whole.text.size(), 3500u + 5) << whole.text;
  EXPECT_TRUE(cut.Says(" of 350002 bytes shown)")) << cut.text.substr(cut.text.size() - 100);
  EXPECT_GT(cut.text.size(), 8000u);
}

TEST(McpTest, KeysPointerAndListsWork) {
  TestSite site;
  McpClient client(Allowed());
  client.Call("browser_navigate", Go(site, "/form.html"));

  const ToolReply typed =
      client.Call("browser_type", {{"target", "#name"}, {"text", "Ada"}, {"slowly", true}});
  const ToolReply pressed = client.Call("browser_press_key", {{"key", "Tab"}});
  const ToolReply chosen =
      client.Call("browser_select_option", {{"target", "#colours"}, {"values", {"Red", "Blue"}}});
  const ToolReply sized = client.Call("browser_resize", {{"width", 800}, {"height", 600}});
  const ToolReply width = client.Call("browser_evaluate", {{"function", "() => innerWidth"}});
  client.Call("browser_navigate", Go(site, "/hover_menu.html"));
  const ToolReply hovered = client.Call("browser_hover", {{"target", "#menu"}});
  client.Call("browser_navigate", Go(site, "/drag.html"));
  const ToolReply back = client.Call("browser_navigate_back", {});

  EXPECT_EQ(typed.text, "ok\n+ status \"input name:Ada\"");
  EXPECT_TRUE(pressed.Says("focused")) << pressed.text;
  EXPECT_EQ(chosen.head(), "ok") << chosen.text;
  EXPECT_EQ(sized.head(), "ok") << sized.text;
  EXPECT_EQ(width.head(), "ok 800");
  EXPECT_EQ(hovered.head(), "ok") << hovered.text;
  EXPECT_TRUE(back.Says("hover_menu.html")) << back.text;
}

TEST(McpTest, WhatPolicyForbidsIsRefusedAndTheServerGoesOn) {
  TestSite site;
  McpClient client(Allowed());

  const ToolReply refused = client.Call("browser_navigate", {{"url", "https://example.com/"}});
  const ToolReply fine = client.Call("browser_navigate", Go(site, "/empty.html"));

  EXPECT_TRUE(refused.is_error);
  EXPECT_TRUE(refused.text.starts_with("error SECURITY_DOMAIN_BLOCK: ")) << refused.text;
  EXPECT_TRUE(refused.Says("retry: no; the setting policy.allow_domains")) << refused.text;
  EXPECT_EQ(fine.head(), "ok") << fine.text;
}

TEST(McpTest, ACallIsCalledOffAndAnotherTellsHowFarItIs) {
  TestSite site;
  McpClient client(Allowed());
  client.Call("browser_navigate", Go(site, "/form.html"));

  const int waiting = client.Begin("browser_wait_for", {{"text", "Nowhere"}, {"time", 50}});
  client.Notify("notifications/cancelled", {{"requestId", waiting}});
  const int filling = client.Begin(
      "browser_fill_form",
      {{"fields",
        {{{"target", "#name"}, {"value", "Ada"}}, {{"target", "#notes"}, {"value", "hi"}}}}},
      {{"progressToken", "p1"}});
  const ToolReply filled = client.Await(filling);

  EXPECT_EQ(filled.head(), "ok 2 fields") << filled.text;
  ASSERT_EQ(client.notifications().size(), 2u);
  EXPECT_EQ(client.notifications()[1].at("params").at("message").as_string(), "field 2 of 2");
}

TEST(McpTest, ContractsAndPlansAreCarriedOutAndOnRecord) {
  TestSite site;
  McpClient client(Allowed(), {"--tools", "all"});
  client.Call("browser_navigate", Go(site, "/form.html"));
  const json::object contract{
      {"step_index", 7},
      {"action_spec", {{"action_type", "click"}, {"selector", "#save"}}},
      {"verification_rules",
       {{{"rule_type", "text_state"},
         {"payload", {{"selector", "#status"}, {"expected", "click save"}}}}}}};

  const ToolReply done = client.Call("execute_action", {{"contract", contract}});
  const ToolReply again = client.Call("execute_action", {{"contract", contract}});
  const ToolReply wrong = client.Call("execute_action", {{"contract", {{"surprise", 1}}}});
  const ToolReply plan = client.Call(
      "execute_plan",
      {{"plan",
        {{"plan_id", "p1"},
         {"steps",
          {{{"step_id", "a"},
            {"contract",
             {{"step_index", 8},
              {"action_spec", {{"action_type", "click"}, {"selector", "#save"}}}}}}}}}}});
  const ToolReply verified = client.Call("verify_audit_chain", {});
  const ToolReply trace = client.Call("get_replay_trace", {});

  EXPECT_TRUE(done.Says(R"("success":true)")) << done.text;
  EXPECT_EQ(again.text, done.text);
  EXPECT_TRUE(wrong.is_error && wrong.Says("INVALID_CONTRACT")) << wrong.text;
  EXPECT_TRUE(plan.Says(R"("success":true)")) << plan.text;
  EXPECT_EQ(site.EffectCount("click save"), 2u);
  EXPECT_TRUE(verified.text.starts_with("ok: ")) << verified.text;
  EXPECT_FALSE(trace.is_error) << trace.text;
  EXPECT_TRUE(trace.Says("\"turns\"")) << trace.text;
}

TEST(McpTest, ATenantsOwnLimitOfTokensHoldsFromTheNextActionOn) {
  TestSite site;
  const TempDir home = TempDir::Create("falconer-quota-").value();
  const std::string data = "data.dir=" + home.path().string();
  std::string page = "<!doctype html>";
  for (int i = 0; i < 60; ++i) page += "<button>Button number " + std::to_string(i) + "</button>";
  site.Serve("/many.html", page);
  McpClient client({"policy.allow_domains=127.0.0.1", data});

  const ToolReply whole = client.Call("browser_navigate", Go(site, "/many.html"));
  const Ended set =
      RunProgram({"quota", "set", "--tenant", "local", "max_step_tokens=150", "--set", data});
  client.Call("browser_navigate", Go(site, "/form.html"));
  const ToolReply cut = client.Call("browser_navigate", Go(site, "/many.html"));

  EXPECT_EQ(set.exit_code, 0) << set.err;
  EXPECT_FALSE(cut.is_error) << cut.text;
  EXPECT_LT(cut.text.size(), whole.text.size() / 2) << cut.text;
}

TEST(McpTest, WhileEverythingIsPausedNothingIsReadEither) {
  const TempDir home = TempDir::Create("falconer-pause-").value();
  const std::string data = "data.dir=" + home.path().string();
  const Ended paused = RunProgram({"pause", "--reason", "test", "--set", data});
  McpClient client({data}, {"--tools", "all"});

  EXPECT_EQ(paused.exit_code, 0) << paused.err;
  const std::pair<const char*, json::object> tools[] = {{"browser_snapshot", {}},
                                                        {"find", {{"text", "x"}}},
                                                        {"get_state", {}},
                                                        {"get_state", {{"since", "s_1"}}},
                                                        {"browser_network_requests", {}},
                                                        {"browser_console_messages", {}},
                                                        {"browser_tabs", {{"action", "list"}}}};
  for (const auto& [tool, arguments] : tools) {
    const ToolReply reply = client.Call(tool, arguments);
    EXPECT_TRUE(reply.is_error && reply.head().starts_with("error RUNTIME_PAUSED: "))
        << tool << ": " << reply.text;
  }
  EXPECT_TRUE(client.Call("get_health", {}).head().contains("sessions 0"));
}

TEST(McpTest, NothingIsLeftWhenTheClientGoes) {
  TestSite site;
  McpClient client(Allowed());
  client.Call("browser_navigate", Go(site, "/form.html"));
  EXPECT_FALSE(client.program().Survivors().empty());

  client.program().CloseInput();
  const Ended ended = client.program().Wait();

  EXPECT_EQ(ended.exit_code, 0) << ended.err;
  EXPECT_TRUE(client.program().Survivors().empty());
  EXPECT_TRUE(client.program().LeftBehind().empty());
}

TEST(McpTest, NothingIsLeftWhenItIsTold) {
  TestSite site;
  McpClient client(Allowed());
  client.Call("browser_navigate", Go(site, "/form.html"));
  client.Begin("browser_wait_for", {{"text", "Nowhere"}, {"time", 50}});

  client.program().Signal(SIGTERM);
  const Ended ended = client.program().Wait();

  EXPECT_EQ(ended.exit_code, 128 + SIGTERM) << ended.err;
  EXPECT_TRUE(client.program().Survivors().empty());
}

}  // namespace
}  // namespace falconer::test
