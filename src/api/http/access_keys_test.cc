#include "api/http/access_keys.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

TEST(AccessKeysTest, EveryRoleHasAKeyOfItsOwn) {
  std::vector<NewAccessKey> made;
  const AccessKeys keys = AccessKeys::Generate(made);

  ASSERT_EQ(made.size(), std::size(kRoles));
  for (const NewAccessKey& one : made) {
    EXPECT_EQ(keys.RoleOf(one.key), one.role);
    EXPECT_EQ(one.key.size(), 64 + NameIn(kRoles, one.role).size() + 4) << one.key;
    EXPECT_EQ(keys.RoleOf(one.key + "0"), std::nullopt);
    EXPECT_EQ(keys.RoleOf(one.key.substr(1)), std::nullopt);
  }
  EXPECT_EQ(keys.RoleOf(""), std::nullopt);
}

TEST(AccessKeysTest, WhatIsKeptTellsNoKey) {
  std::vector<NewAccessKey> made;
  const AccessKeys keys = AccessKeys::Generate(made);

  const std::string kept = json::serialize(keys.ToJson());
  const auto again = AccessKeys::FromJson(keys.ToJson());

  ASSERT_TRUE(again) << Describe(again.error());
  for (const NewAccessKey& one : made) {
    EXPECT_FALSE(kept.contains(one.key));
    EXPECT_EQ(again->RoleOf(one.key), one.role);
  }
}

TEST(AccessKeysTest, WhatIsNoListOfKeysIsRefused) {
  for (const std::string_view text :
       {"7", "{}", R"({"keys": [{"role": "king", "sha256": ""}]})",
        R"({"keys": [{"role": "agent", "sha256": "short"}]})", R"({"keys": [], "more": 1})"}) {
    EXPECT_FALSE(AccessKeys::FromJson(ParseJson(text).value())) << text;
  }
}

}  // namespace
}  // namespace falconer::api
