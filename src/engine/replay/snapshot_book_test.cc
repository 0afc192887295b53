#include "engine/replay/snapshot_book.h"

#include <gtest/gtest.h>

namespace falconer::engine {
namespace {

const std::vector<Snapshot> kTwo = {{"policy", "d1", {{"a", 1}}}, {"rules", "d2", {{"b", 2}}}};

TEST(SnapshotBookTest, EachChainGetsEachSnapshotOnce) {
  SnapshotBook book;
  const TenantId acme("acme");

  const auto first = book.Lacking(acme, kTwo);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->at("snapshots").as_array().size(), 2U);
  EXPECT_TRUE(book.Lacking(acme, kTwo)) << "nothing was written yet";
  book.Written(acme, kTwo);
  EXPECT_FALSE(book.Lacking(acme, kTwo));
  EXPECT_TRUE(book.Lacking(TenantId("other"), kTwo));

  auto changed = kTwo;
  changed[1].digest = "d3";
  const auto more = book.Lacking(acme, changed);
  ASSERT_TRUE(more);
  EXPECT_EQ(more->at("snapshots").as_array().size(), 1U);
  EXPECT_EQ(more->at("snapshots").at(0).at("digest").as_string(), "d3");
}

TEST(SnapshotBookTest, WhatItRemembersIsBounded) {
  SnapshotBook book;
  const TenantId acme("acme");
  for (int i = 0; i < 1026; ++i) book.Written(acme, {{"p", "digest" + std::to_string(i), {}}});

  EXPECT_TRUE(book.Lacking(acme, {{"p", "digest0", {}}})) << "forgotten, so it is written again";
  EXPECT_FALSE(book.Lacking(acme, {{"p", "digest1025", {}}}));
}

}  // namespace
}  // namespace falconer::engine
