// Artifacts: what a caller registered is uploaded by its id, and what the browser brought or made
// is kept under one.

#include <filesystem>

#include "base/sha256.h"
#include "browser/context/artifact_manager.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using browser::ArtifactKind;
using browser::ArtifactManager;
using browser::ArtifactOwner;

const ArtifactOwner kOwner{.tenant = TenantId("acme"), .workflow = WorkflowId("w1")};

struct Kept {
  explicit Kept(BrowserFixture& t)
      : manager({.root = t.artifacts / "kept", .max_bytes_per_tenant = 1 << 20}, t.ctx.clock()) {
    options.artifacts = manager.FolderOf(kOwner);
  }
  ArtifactManager manager;
  browser::SessionOptions options;
};

BROWSER_TEST(ArtifactsTest, ARegisteredUploadReachesTheServerUnderItsName) {
  Kept kept(t);
  const auto record = kept.manager.RegisterUpload(kOwner, "../bird.csv", "wing,tail\n1,2\n");
  EXPECT_TRUE(record) << Why(record);
  const auto a = co_await OpenFixture(t, kept.options);
  co_await a->Open("/upload.html");

  const auto uploaded = co_await a->Do(
      R"({"action_type": "upload", "selector": "#one", "files": [{"artifact_id": ")" + record->id +
      "\"}]}");
  EXPECT_TRUE(uploaded) << Why(uploaded);
  const auto sent = co_await a->Click("#send");
  EXPECT_TRUE(sent) << Why(sent);
  const auto stored =
      co_await a->WaitFor(R"({"kind": "text", "selector": "#status", "text": "stored"})");
  EXPECT_TRUE(stored && stored->satisfied) << Why(stored);

  EXPECT_EQ(co_await a->PageText("document.querySelector('#stored li').textContent"),
            "one bird.csv 14 " + record->sha256);
}

BROWSER_TEST(ArtifactsTest, AnUnknownIdIsNotFound) {
  const Kept kept(t);
  const auto a = co_await OpenFixture(t, kept.options);
  co_await a->Open("/upload.html");
  const auto uploaded =
      co_await a->Do(R"({"action_type": "upload", "selector": "#one",)"
                     R"( "files": [{"artifact_id": "up_00000000000000000000"}]})");
  EXPECT_EQ(CodeOf(uploaded), ErrorCode::kNotFound) << Why(uploaded);
}

BROWSER_TEST(ArtifactsTest, ADownloadAndAPictureAreKept) {
  Kept kept(t);
  const auto a = co_await OpenFixture(t, kept.options);
  co_await a->Open("/downloads.html");

  const auto got = co_await a->Do(R"({"action_type": "download_trigger", "selector": "#link"})");
  const auto shot = co_await a->Do(R"({"action_type": "screenshot"})");
  EXPECT_TRUE(got && got->artifact && shot && shot->artifact) << Why(got) << Why(shot);
  if (!got || !got->artifact || !shot || !shot->artifact) co_return;
  const auto file = kept.manager.Adopt(kOwner, ArtifactKind::kDownload, got->artifact->path,
                                       a->session->downloads().all().back().name);
  const auto picture =
      kept.manager.Adopt(kOwner, ArtifactKind::kCapture, shot->artifact->path, "page.png");

  EXPECT_TRUE(file && picture) << Why(file) << Why(picture);
  if (!file || !picture) co_return;
  EXPECT_EQ(file->id, "dl_" + got->artifact->sha256.substr(0, 20));
  EXPECT_EQ(file->name, "report.txt");
  EXPECT_EQ(file->mime, "text/plain");
  EXPECT_EQ(picture->sha256, shot->artifact->sha256);
  EXPECT_EQ(picture->mime, "image/png");
  EXPECT_EQ(kept.manager.List(kOwner, "", 10)->artifacts.size(), 2U);
  EXPECT_EQ(*kept.manager.UsedBytes(kOwner.tenant), file->bytes + picture->bytes);
}

// What came down may go up again.
BROWSER_TEST(ArtifactsTest, AKeptDownloadCanBeUploaded) {
  Kept kept(t);
  const auto a = co_await OpenFixture(t, kept.options);
  co_await a->Open("/downloads.html");
  const auto got = co_await a->Do(R"({"action_type": "download_trigger", "selector": "#link"})");
  EXPECT_TRUE(got && got->artifact) << Why(got);
  if (!got || !got->artifact) co_return;
  const auto file =
      kept.manager.Adopt(kOwner, ArtifactKind::kDownload, got->artifact->path, "again.txt");
  EXPECT_TRUE(file) << Why(file);
  co_await a->Open("/upload.html");
  const auto uploaded = co_await a->Do(
      R"({"action_type": "upload", "selector": "#one", "files": [{"artifact_id": ")" + file->id +
      "\"}]}");
  EXPECT_TRUE(uploaded) << Why(uploaded);
  EXPECT_EQ(co_await a->PageText("one.files[0].name"), "again.txt");
}

}  // namespace
}  // namespace falconer::test
