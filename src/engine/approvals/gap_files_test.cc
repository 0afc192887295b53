#include "engine/approvals/gap_files.h"

#include "base/file.h"
#include "base/sha256.h"
#include "engine/approvals/file_marks.h"
#include "tests/support/co_test.h"

namespace falconer::engine {
namespace {

const std::string kFileHead =
    "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"
    "--XX\r\nContent-Disposition: form-data; name=\"f\"; filename=\"one.bin\"\r\n\r\n";
const std::string kFileTail = "\r\n--XX--\r\n";

browser::RequestFacts Posting(std::string body, std::vector<std::size_t> gaps) {
  return {.method = "POST",
          .url = "http://a.test/",
          .headers = {{"Content-Type", "multipart/form-data; boundary=XX"}},
          .body = std::move(body),
          .body_gaps = std::move(gaps),
          .is_body_whole = false};
}

std::string ReasonOf(const Result<std::vector<std::filesystem::path>>& files) {
  return files ? "known" : TextAt(files.error().details(), "reason");
}

TEST(GapFilesTest, AGapIsKnownByTheFileThatWasGiven) {
  browser::GivenFiles given;
  given.Note({"/data/one.bin", "/data/two.bin"});
  const auto files = FilesInGaps(Posting(kFileHead + kFileTail, {kFileHead.size()}), given);
  ASSERT_TRUE(files) << files.error().message();
  EXPECT_EQ(*files, (std::vector<std::filesystem::path>{"/data/one.bin"}));
}

TEST(GapFilesTest, WhatNobodyCanReadIsApprovedByNobody) {
  browser::GivenFiles given;
  given.Note({"/data/one.bin"});
  const std::size_t at = kFileHead.size();
  const std::string whole = kFileHead + kFileTail;
  struct Case {
    std::string_view what;
    browser::RequestFacts facts;
  };
  browser::RequestFacts stream = Posting("", {0});
  stream.headers.clear();
  const Case cases[] = {
      {"a stream", stream},
      {"a stream that says it were parts", Posting("", {0})},
      {"two in one part", Posting(whole, {at, at})},
      {"more than the file in its part", Posting(kFileHead + "x" + kFileTail, {at})},
      {"something in a field", Posting(whole, {whole.find("1\r\n--XX")})},
      {"a body without its end", Posting(kFileHead, {at})},
  };
  for (const Case& c : cases)
    EXPECT_EQ(ReasonOf(FilesInGaps(c.facts, given)), "body_cannot_be_read") << c.what;
  const browser::GivenFiles none;
  EXPECT_EQ(ReasonOf(FilesInGaps(Posting(whole, {at}), none)), "body_cannot_be_read");
  given.Note({"/other/one.bin"});
  EXPECT_EQ(ReasonOf(FilesInGaps(Posting(whole, {at}), given)), "body_cannot_be_read")
      << "two of that name";
}

CO_TEST(FileMarksTest, TheDigestFollowsTheContent) {
  const auto folder = TempDir::Create("falconer-test-").value();
  const auto path = folder.path() / "one.bin";
  const std::string digest(64, 'a');
  EXPECT_TRUE(WriteFileAtomic(path, "first"));
  const auto first = co_await MarkFiles(ctx, {path});
  EXPECT_TRUE(first);
  EXPECT_EQ(first->at(0).sha256, Sha256Hex("first"));
  EXPECT_EQ(first->at(0).bytes, 5U);
  EXPECT_TRUE(co_await CheckUnchanged(ctx, *first));

  EXPECT_TRUE(WriteFileAtomic(path, "other"));
  const auto changed = co_await CheckUnchanged(ctx, *first);
  EXPECT_EQ(TextAt(changed.error().details(), "reason"), "file_changed");
  const auto second = co_await MarkFiles(ctx, {path});
  EXPECT_NE(DigestWithFiles(digest, *first), DigestWithFiles(digest, *second));
  EXPECT_EQ(DigestWithFiles(digest, *first).size(), 64U);
  EXPECT_EQ(DigestWithFiles(digest, {}), digest);
}

}  // namespace
}  // namespace falconer::engine
