#include "engine/recordable.h"

#include <limits>

#include <gtest/gtest.h>

#include "base/json/canonical_json.h"
#include "base/sha256.h"

namespace falconer::engine {
namespace {

TEST(RecordableTest, AContractThatARecordCanHoldStaysWhatItIs) {
  const json::value wire{{"workflow_id", "w"}, {"surprise", 1}};
  EXPECT_EQ(ContractOnRecord(wire), (json::object{{"contract", wire}}));
}

TEST(RecordableTest, OneThatItCannotHoldIsNamedByTheDigestOfItsText) {
  json::value deep = json::array();
  for (std::size_t i = 0; i < kMaxJsonDepth; ++i) deep = json::array{std::move(deep)};
  const json::value odd[] = {
      {{"n", 9'007'199'254'740'993}},
      {{"n", std::numeric_limits<double>::infinity()}},
      {{"text", "\xff"}},
      {{"\xff", 1}},
      std::move(deep),
      json::value(std::string(2U << 20U, 'x')),
  };
  for (const json::value& wire : odd) {
    const json::object record = ContractOnRecord(wire);
    ASSERT_TRUE(record.contains("contract_digest")) << json::serialize(record);
    const json::object& digest = record.at("contract_digest").as_object();
    const std::string text = json::serialize(wire);
    EXPECT_EQ(TextAt(digest, "sha256"), Sha256Hex(text));
    EXPECT_EQ(digest.at("bytes"), text.size());
    EXPECT_FALSE(TextAt(digest, "why").empty());
    EXPECT_TRUE(CanonicalJson(record)) << json::serialize(record);
  }
}

TEST(RecordableTest, WhatQuotesACallerGetsACanonicalForm) {
  json::value value{{"k\xff", {{"n", 9'007'199'254'740'993}, {"list", {"a\xfe", 1, true}}}}};

  MakeRecordable(value);

  EXPECT_EQ(CanonicalJson(value).value(),
            "{\"k\xEF\xBF\xBD\":{\"list\":[\"a\xEF\xBF\xBD\",1,true],\"n\":\"9007199254740993\"}}");
}

}  // namespace
}  // namespace falconer::engine
