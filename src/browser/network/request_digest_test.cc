#include "browser/network/request_digest.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "base/sha256.h"

namespace falconer::browser {
namespace {

RequestFacts Payment() {
  return {.method = "POST",
          .url = "https://shop.test/pay",
          .headers = {{"Content-Type", "text/plain"}, {"accept", "*/*"}},
          .body = "a=1"};
}

TEST(RequestDigestTest, IsTheHashOfTheDocumentedForm) {
  const std::string form =
      "falconer-request-1\n4\nPOST\n21\nhttps://shop.test/pay\n2\n6\naccept\n3\n*/*\n"
      "12\ncontent-type\n10\ntext/plain\n3\na=1\n0\n";
  EXPECT_EQ(RequestDigest(Payment()), Sha256Hex(form));
}

TEST(RequestDigestTest, TheOrderAndCaseOfHeaderNamesDoNotMatter) {
  RequestFacts other = Payment();
  other.headers = {{"Accept", "*/*"}, {"content-type", "text/plain"}};
  EXPECT_EQ(RequestDigest(other), RequestDigest(Payment()));
}

TEST(RequestDigestTest, WhatIsNotPartOfTheRequestDoesNotMatter) {
  RequestFacts other = Payment();
  other.use = RequestUse::kFrame;
  other.tab = TabId("t9");
  other.redirect_of = "another";
  EXPECT_EQ(RequestDigest(other), RequestDigest(Payment()));
}

TEST(RequestDigestTest, EveryChangeOfTheRequestChangesIt) {
  std::vector<RequestFacts> changed(8, Payment());
  changed[0].method = "PUT";
  changed[1].url += "?";
  changed[2].body += std::string_view("\0", 1);
  changed[3].headers[0].value = "text/html";
  changed[4].headers.pop_back();
  changed[5].body_gaps = {3};
  changed[6].body_gaps = {0};
  changed[7].headers[0].value.clear();
  std::vector<std::string> digests{RequestDigest(Payment())};
  for (const RequestFacts& facts : changed) {
    const std::string digest = RequestDigest(facts);
    EXPECT_EQ(std::ranges::count(digests, digest), 0);
    digests.push_back(digest);
  }
}

TEST(RequestDigestTest, PartsCannotBeMovedFromOneFieldToAnother) {
  const RequestFacts one{.url = "u", .headers = {{"a", "b\n1\nc"}}};
  const RequestFacts two{.url = "u", .headers = {{"a", "b"}, {"c", ""}}};
  EXPECT_NE(RequestDigest(one), RequestDigest(two));
}

}  // namespace
}  // namespace falconer::browser
