// Uploads: files of the session's own folder reach the server byte for byte; nothing else does.

#include <filesystem>

#include "base/json/json.h"
#include "base/sha256.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

namespace fs = std::filesystem;

// Writes a file into the session's folder.
void Put(BrowserFixture& t, const std::string& name, std::string_view content) {
  fs::create_directories((t.artifacts / name).parent_path());
  const auto written = WriteFileAtomic(t.artifacts / name, content);
  EXPECT_TRUE(written) << Why(written);
}

Task<Result<model::ActionOutcome>> Upload(BrowserFixture& t, std::string selector,
                                          std::vector<std::string> paths) {
  json::array files;
  for (const std::string& path : paths) files.push_back(json::object{{"path", path}});
  return t.Do(json::serialize(json::object{{"action_type", "upload"},
                                           {"selector", std::string_view(selector)},
                                           {"files", std::move(files)},
                                           {"timeout_ms", 5000}}));
}

// What the server got, as "field name size sha256" lines.
Task<std::string> Sent(BrowserFixture& t) {
  const auto clicked = co_await t.Click("#send");
  EXPECT_TRUE(clicked) << Why(clicked);
  const auto stored =
      co_await t.WaitFor(R"({"kind": "text", "selector": "#status", "text": "stored"})");
  EXPECT_TRUE(stored && stored->satisfied) << Why(stored);
  co_return co_await t.PageText(
      "Array.from(document.querySelectorAll('#stored li'), li => li.textContent).join('|')");
}

std::string Line(std::string_view field, std::string_view name, std::string_view content) {
  return std::string(field) + " " + std::string(name) + " " + std::to_string(content.size()) + " " +
         Sha256Hex(content);
}

BROWSER_TEST(UploadTest, OneFileArrivesByteForByte) {
  std::string content;
  for (int i = 0; i < 300'000; ++i) content += static_cast<char>(i * 7 % 256);
  Put(t, "bird.bin", content);
  co_await t.Open("/upload.html");

  const auto uploaded = co_await Upload(t, "#one", {"bird.bin"});

  EXPECT_TRUE(uploaded) << Why(uploaded);
  EXPECT_EQ(co_await Sent(t), Line("one", "bird.bin", content));
}

BROWSER_TEST(UploadTest, SeveralFilesKeepTheirOrder) {
  Put(t, "b.txt", "bb");
  Put(t, "sub/a.txt", "a");
  co_await t.Open("/upload.html");

  const auto uploaded = co_await Upload(t, "#many", {"b.txt", "sub/a.txt"});

  EXPECT_TRUE(uploaded) << Why(uploaded);
  EXPECT_EQ(co_await Sent(t), Line("many", "b.txt", "bb") + "|" + Line("many", "a.txt", "a"));
}

BROWSER_TEST(UploadTest, ASecondUploadReplacesTheFirst) {
  Put(t, "a.txt", "a");
  Put(t, "b.txt", "b");
  co_await t.Open("/upload.html");

  const auto first = co_await Upload(t, "#one", {"a.txt"});
  const auto second = co_await Upload(t, "#one", {"b.txt"});

  EXPECT_TRUE(first && second) << Why(first) << Why(second);
  EXPECT_EQ(co_await Sent(t), Line("one", "b.txt", "b"));
}

BROWSER_TEST(UploadTest, ALabelAndAHiddenFieldWork) {
  Put(t, "a.txt", "a");
  co_await t.Open("/upload.html");

  const auto hidden = co_await Upload(t, "#hidden", {"a.txt"});
  const auto label = co_await Upload(t, "label=One file", {"a.txt"});

  EXPECT_TRUE(hidden && label) << Why(hidden) << Why(label);
  EXPECT_EQ(co_await Sent(t), Line("one", "a.txt", "a") + "|" + Line("hidden", "a.txt", "a"));
}

BROWSER_TEST(UploadTest, AVisibleLabelOfAHiddenFieldWorks) {
  Put(t, "a.txt", "a");
  co_await t.Open("/upload.html");

  const auto uploaded = co_await Upload(t, "#hidden_label", {"a.txt"});

  EXPECT_TRUE(uploaded) << Why(uploaded);
  EXPECT_EQ(co_await Sent(t), Line("hidden", "a.txt", "a"));
}

BROWSER_TEST(UploadTest, AButtonThatOpensTheChooserWorks) {
  Put(t, "a.txt", "abc");
  co_await t.Open("/upload.html");

  const auto uploaded = co_await Upload(t, "#chooser", {"a.txt"});

  EXPECT_TRUE(uploaded) << Why(uploaded);
  EXPECT_EQ(co_await Sent(t), Line("one", "a.txt", "abc"));
}

// Files for the chooser that is open.
Task<Result<model::ActionOutcome>> AnswerChooser(BrowserFixture& t, std::string path) {
  return t.Do(R"({"action_type": "upload", "timeout_ms": 5000, "files": [{"path": ")" + path +
              "\"}]}");
}

BROWSER_TEST(UploadTest, AChooserThatIsOpenIsAnsweredOnce) {
  Put(t, "a.txt", "abc");
  co_await t.Open("/upload.html");

  const auto early = co_await AnswerChooser(t, "a.txt");
  const auto clicked = co_await t.Click("#chooser");
  const auto answered = co_await AnswerChooser(t, "a.txt");
  const auto again = co_await AnswerChooser(t, "a.txt");

  EXPECT_EQ(CodeOf(early), ErrorCode::kNoDialog) << Why(early);
  EXPECT_TRUE(clicked && answered) << Why(clicked) << Why(answered);
  EXPECT_EQ(CodeOf(again), ErrorCode::kNoDialog) << Why(again);
  EXPECT_EQ(co_await Sent(t), Line("one", "a.txt", "abc"));
}

BROWSER_TEST(UploadTest, AChooserEndsWithItsPage) {
  Put(t, "a.txt", "abc");
  co_await t.Open("/upload.html");
  const auto clicked = co_await t.Click("#chooser");
  EXPECT_TRUE(clicked) << Why(clicked);
  co_await t.Open("/upload.html");

  const auto late = co_await AnswerChooser(t, "a.txt");

  EXPECT_EQ(CodeOf(late), ErrorCode::kNoDialog) << Why(late);
}

BROWSER_TEST(UploadTest, AFieldInAFrameOfAnotherSiteWorks) {
  Put(t, "a.txt", "abc");
  t.site.Serve("/page", "<iframe src='" + t.site.CrossSiteUrl("/upload.html") +
                            "' width=800 height=400></iframe>");
  co_await t.Open("/page");

  const auto field = co_await Upload(t, "frame=iframe >> #one", {"a.txt"});
  const auto button = co_await Upload(t, "frame=iframe >> #chooser", {"a.txt"});
  const auto sent = co_await t.Click("frame=iframe >> #send");
  const auto arrived =
      co_await t.site.UntilEffects(t.ctx.WithTimeout(std::chrono::seconds(5)), "upload", 1);

  EXPECT_TRUE(field && button && sent && arrived)
      << Why(field) << Why(button) << Why(sent) << Why(arrived);
}

BROWSER_TEST(UploadTest, ThePageHearsOfIt) {
  Put(t, "a.txt", "abc");
  co_await t.Open("/upload.html");
  co_await t.Page(
      "window.heard = []; for (const type of ['input', 'change']) one.addEventListener(type, e => "
      "heard.push(type))");

  const auto uploaded = co_await Upload(t, "#one", {"a.txt"});

  EXPECT_TRUE(uploaded) << Why(uploaded);
  EXPECT_EQ(co_await t.PageText("heard"), "input,change");
}

BROWSER_TEST(UploadTest, SeveralFilesWhereOneIsTakenAreRefused) {
  Put(t, "a.txt", "a");
  Put(t, "b.txt", "b");
  co_await t.Open("/upload.html");

  for (const std::string selector : {"#one", "#chooser"}) {
    const auto uploaded = co_await Upload(t, selector, {"a.txt", "b.txt"});
    EXPECT_EQ(CodeOf(uploaded), ErrorCode::kInvalidActionSpec) << selector << ": " << Why(uploaded);
  }
  EXPECT_EQ(co_await t.PageText("one.files.length"), "0");
}

BROWSER_TEST(UploadTest, AMissingFileIsNotSent) {
  Put(t, "a.txt", "a");
  co_await t.Open("/upload.html");

  for (const std::vector<std::string>& paths :
       {std::vector<std::string>{"nobody.txt"}, {"a.txt", "nobody.txt"}, {"sub"}}) {
    const auto uploaded = co_await Upload(t, "#many", paths);
    EXPECT_EQ(CodeOf(uploaded), ErrorCode::kNotFound) << paths.back() << ": " << Why(uploaded);
  }
  EXPECT_EQ(co_await t.PageText("many.files.length"), "0");
}

BROWSER_TEST(UploadTest, NoPathLeadsOutOfTheFolder) {
  const auto outside = TempDir::Create("falconer-outside-");
  EXPECT_TRUE(WriteFileAtomic(outside->path() / "secret.txt", "secret"));
  co_await t.Open("/upload.html");
  const std::string up = "../" + outside->path().filename().string() + "/secret.txt";

  for (const std::string& path : {up, "sub/../" + up, (outside->path() / "secret.txt").string(),
                                  std::string("..\\secret.txt"), std::string("/etc/passwd")}) {
    const auto uploaded = co_await Upload(t, "#one", {path});
    EXPECT_EQ(CodeOf(uploaded), ErrorCode::kInvalidActionSpec) << path << ": " << Why(uploaded);
  }
  EXPECT_EQ(co_await t.PageText("one.files.length"), "0");
}

BROWSER_TEST(UploadTest, NoLinkLeadsOutOfTheFolder) {
  const auto outside = TempDir::Create("falconer-outside-");
  EXPECT_TRUE(WriteFileAtomic(outside->path() / "secret.txt", "secret"));
  fs::create_symlink(outside->path() / "secret.txt", t.artifacts / "file_link.txt");
  fs::create_directory_symlink(outside->path(), t.artifacts / "folder_link");
  co_await t.Open("/upload.html");

  for (const std::string path : {"file_link.txt", "folder_link/secret.txt"}) {
    const auto uploaded = co_await Upload(t, "#one", {path});
    EXPECT_EQ(CodeOf(uploaded), ErrorCode::kInvalidActionSpec) << path << ": " << Why(uploaded);
  }
  EXPECT_EQ(co_await t.PageText("one.files.length"), "0");
}

BROWSER_TEST(UploadTest, WhatOpensNoChooserIsReported) {
  Put(t, "a.txt", "a");
  t.site.Serve("/page", "<button id=b>Nothing</button>");
  co_await t.Open("/page");

  const auto uploaded = co_await t.Do(
      R"({"action_type": "upload", "selector": "#b", "files": [{"path": "a.txt"}], "timeout_ms": 400})");

  EXPECT_EQ(CodeOf(uploaded), ErrorCode::kTimeout) << Why(uploaded);
  EXPECT_TRUE(Why(uploaded).contains("file chooser")) << Why(uploaded);
}

BROWSER_TEST(UploadTest, WaitsForTheField) {
  Put(t, "a.txt", "a");
  t.site.Serve("/page",
               "<div id=d></div><script>setTimeout(() => d.innerHTML = '<input id=one type=file>', "
               "120)</script>");
  co_await t.Open("/page");

  const auto uploaded = co_await Upload(t, "#one", {"a.txt"});

  EXPECT_TRUE(uploaded) << Why(uploaded);
  EXPECT_EQ(co_await t.PageText("one.files[0].name"), "a.txt");
}

BROWSER_TEST(UploadTest, ADisabledFieldIsRefused) {
  Put(t, "a.txt", "a");
  t.site.Serve("/page", "<input id=one type=file disabled>");
  co_await t.Open("/page");

  const auto uploaded = co_await t.Do(
      R"({"action_type": "upload", "selector": "#one", "files": [{"path": "a.txt"}], "timeout_ms": 400})");

  EXPECT_EQ(CodeOf(uploaded), ErrorCode::kElementNotEnabled) << Why(uploaded);
  EXPECT_EQ(co_await t.PageText("one.files.length"), "0");
}

}  // namespace
}  // namespace falconer::test
