#include "policy/rules/policy_document.h"

#include <gtest/gtest.h>

#include "base/file.h"
#include "policy/rules/policy.h"
#include "policy/rules/yaml_tree.h"

namespace falconer::policy {
namespace {

constexpr std::string_view kHead = "policy: {name: p, version: \"1\"}\n";

// Line 2 and following are `text`.
Result<Policy> ParseWith(std::string_view text) {
  return Policy::Parse(std::string(kHead) + std::string(text));
}

struct BadRow {
  const char* text;
  int line;
  const char* path;
  const char* why;  // part of it
};

TEST(PolicyDocumentTest, RefusesWhatIsWrongAndSaysWhere) {
  constexpr BadRow kRows[] = {
      {"extra: 1", 2, "extra", "unknown key"},
      {"rules: 5", 2, "rules", "expected a list"},
      {"rules:\n  - name: a\n    then: allow", 3, "rules[0]", "lacks \"when\""},
      {"rules:\n  - {name: a, when: always}", 3, "rules[0]", "lacks \"then\""},
      {"rules:\n  - {name: a, when: {}, then: allow}", 3, "rules[0].when", "empty"},
      {"rules:\n  - {name: a, when: {all: []}, then: allow}", 3, "rules[0].when.all", "is empty"},
      {"rules:\n  - {name: a, when: {not: {}}, then: allow}", 3, "rules[0].when.not", "empty"},
      {"rules:\n  - {name: a, when: sometimes, then: allow}", 3, "rules[0].when", "always"},
      {"rules:\n  - {name: a, when: {colour: red}, then: allow}", 3, "rules[0].when.colour",
       "unknown condition"},
      {"rules:\n  - name: a\n    when:\n      domain:\n        inn: [a.com]\n    then: allow", 6,
       "rules[0].when.domain.inn", "unknown key; known here: in, not_in, matches"},
      {"rules:\n  - {name: a, when: {domain: \"a*.com\"}, then: allow}", 3, "rules[0].when.domain",
       "star"},
      {"rules:\n  - {name: a, when: {domain: {matches: \"Shop/*\"}}, then: allow}", 3,
       "rules[0].when.domain.matches", "can match no host"},
      {"rules:\n  - {name: a, when: {capability: FLY}, then: allow}", 3, "rules[0].when.capability",
       "no capability"},
      {"rules:\n  - {name: a, when: {action: teleport}, then: allow}", 3, "rules[0].when.action",
       "no action"},
      {"rules:\n  - {name: a, when: {action: {matches: \"zz*\"}}, then: allow}", 3,
       "rules[0].when.action.matches", "matches no action"},
      {"rules:\n  - {name: a, when: {amount: {gt: 5}}, then: allow}", 3, "rules[0].when.amount",
       "currency"},
      {"rules:\n  - {name: a, when: {amount: {gt: 5, currency: usd}}, then: allow}", 3,
       "rules[0].when.amount.currency", "ISO 4217"},
      {"rules:\n  - {name: a, when: {amount: {gt: -5, currency: USD}}, then: allow}", 3,
       "rules[0].when.amount.gt", "expected an amount"},
      {"rules:\n  - {name: a, when: {amount: {gt: 1e3, currency: USD}}, then: allow}", 3,
       "rules[0].when.amount.gt", "expected an amount"},
      {"rules:\n  - {name: a, when: {amount: {gt: 9, lt: 5, currency: USD}}, then: allow}", 3,
       "rules[0].when.amount", "nothing between"},
      {"rules:\n  - {name: a, when: {amount: {gt: 9, gte: 5, currency: USD}}, then: allow}", 3,
       "rules[0].when.amount", "given twice"},
      {"rules:\n  - {name: a, when: {amount: {currency: USD}}, then: allow}", 3,
       "rules[0].when.amount", "with nothing"},
      {"rules:\n  - {name: a, when: {time: {after: \"09:00\"}}, then: allow}", 3,
       "rules[0].when.time", "timezone"},
      {"rules:\n  - {name: a, when: {time: {after: \"25:00\", timezone: UTC}}, then: allow}", 3,
       "rules[0].when.time.after", "time of day"},
      {"rules:\n  - {name: a, when: {time: {after: \"09:00\", timezone: Mars/Base}}, then: allow}",
       3, "rules[0].when.time.timezone", "no time zone"},
      {"rules:\n  - {name: a, when: {time: {timezone: UTC}}, then: allow}", 3, "rules[0].when.time",
       "neither"},
      {"rules:\n  - {name: a, when: {time: {days: [funday], timezone: UTC}}, then: allow}", 3,
       "rules[0].when.time.days[0]", "none of"},
      {"rules:\n  - {name: a, when: {element: {colour: red}}, then: allow}", 3,
       "rules[0].when.element.colour", "unknown key"},
      {"rules:\n  - {name: a, when: {element: {name: {regex: \"(a\"}}}, then: allow}", 3,
       "rules[0].when.element.name.regex", "not valid"},
      {"rules:\n  - {name: a, when: {element: {name: {regex: \"(?=a)\"}}}, then: allow}", 3,
       "rules[0].when.element.name.regex", "not valid"},
      {"rules:\n  - {name: a, when: {element: {name: {matches: 'x\\'}}}, then: allow}", 3,
       "rules[0].when.element.name.matches", "lone"},
      {"rules:\n  - {name: a, when: {element: {field: smell}}, then: allow}", 3,
       "rules[0].when.element.field", "none of"},
      {"rules:\n  - {name: a, when: {request: {body_bytes: {gt: many}}}, then: allow}", 3,
       "rules[0].when.request.body_bytes.gt", "size"},
      {"rules:\n  - {name: a, when: {risk: {gte: huge}}, then: allow}", 3, "rules[0].when.risk.gte",
       "none of"},
      {"rules:\n  - {name: a, when: {agent: []}, then: allow}", 3, "rules[0].when.agent",
       "is empty"},
      {"rules:\n  - {name: a, when: always, then: deny}", 3, "rules[0].then", "expected a map"},
      {"rules:\n  - {name: a, when: always, then: {}}", 3, "rules[0].then", "is empty"},
      {"rules:\n  - {name: a, when: always, then: {deny: true}}", 3, "rules[0].then.deny",
       "reason in words"},
      {"rules:\n  - {name: a, when: always, then: {allow: false}}", 3, "rules[0].then.allow",
       "say deny"},
      {"rules:\n  - {name: a, when: always, then: {allow: \"true\"}}", 3, "rules[0].then.allow",
       "true or false"},
      {"rules:\n  - {name: a, when: always, then: {allow: true, deny: no way}}", 3, "rules[0].then",
       "either"},
      {"rules:\n  - {name: a, when: always, then: {require_approval: {who: cat}}}", 3,
       "rules[0].then.require_approval.who", "none of"},
      {"rules:\n  - {name: a, when: always, then: {require_approval: {timeout: 600}}}", 3,
       "rules[0].then.require_approval.timeout", "unit"},
      {"rules:\n  - {name: a, when: always, then: {require_approval: {message: \"${price}\"}}}", 3,
       "rules[0].then.require_approval.message", "no fact ${price}"},
      {"rules:\n  - {name: a, when: always, then: {require_approval: {count: 2, approvers: [x]}}}",
       3, "rules[0].then.require_approval.approvers", "fewer"},
      {"rules:\n  - {name: a, when: always, then: {constrain: {max_amount: 5}}}", 3,
       "rules[0].then.constrain.max_amount", "currency"},
      {"rules:\n  - {name: a, when: always, then: {rate_limit: {max: 5}}}", 3,
       "rules[0].then.rate_limit", "period"},
      {"rules:\n  - {name: a, when: always, then: {audit: loud}}", 3, "rules[0].then.audit",
       "none of"},
      {"rules:\n  - {name: a, when: always, then: allow}\nconnect:\n"
       "  - {name: a, when: always, then: allow}",
       5, "connect[0]", "another rule named \"a\", in line 3"},
      {"rules:\n  - {name: a, when: always, then: allow, when: always}", 3, "", "given twice"},
      {"rules: []\nrules: []", 3, "", "given twice"},
      {"defaults: {allow: true}", 2, "defaults.allow", "denied"},
      {"defaults: {timezone: Nowhere}", 2, "defaults.timezone", "no time zone"},
      {"rules:\n  - &x {name: a, when: always, then: allow}", 3, "", "anchors"},
      {"rules: !!set {a}", 2, "", "tags"},
      {"rules: [", 2, "", "end of sequence"},
      {"---\nrules: []", 2, "", "one document"},
      {"? [a]\n: 1", 2, "", "a key must be a word"},
  };
  for (const BadRow& row : kRows) {
    const auto policy = ParseWith(row.text);
    ASSERT_FALSE(policy) << row.text;
    const Error& error = policy.error();
    EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument) << row.text;
    EXPECT_EQ(error.details().at("line").as_int64(), row.line) << row.text << error.message();
    EXPECT_EQ(error.details().at("path").as_string(), row.path) << row.text << error.message();
    EXPECT_GE(error.details().at("column").as_int64(), 1);
    EXPECT_TRUE(error.message().contains(row.why)) << error.message();
  }
}

TEST(PolicyDocumentTest, NeedsAHead) {
  for (const char* text : {"", "rules: []", "policy: {}", "policy: {name: p}", "policy:", "- a",
                           "x", "policy: {name: p, version: \"1\", mode: maybe}",
                           "policy: {name: p, version: \"1\", colour: red}"}) {
    EXPECT_FALSE(Policy::Parse(text)) << text;
  }
  EXPECT_TRUE(Policy::Parse(kHead));
}

TEST(PolicyDocumentTest, SaysThatItIsNestedTooDeepAndWhere) {
  // The second is more than the parser itself takes.
  for (const std::size_t depth : {100U, 5000U}) {
    const auto deep = ParseWith("rules:\n  - a\n  - " + std::string(depth, '['));
    ASSERT_FALSE(deep);
    EXPECT_TRUE(deep.error().message().contains("nested too deep: at most 32 levels"))
        << deep.error().message();
    EXPECT_EQ(deep.error().details().at("line").as_int64(), 4) << deep.error().message();
  }
}

TEST(PolicyDocumentTest, IsBounded) {
  EXPECT_FALSE(ParseWith("# " + std::string(kMaxPolicyBytes, 'x')));
  EXPECT_FALSE(ParseWith("rules: " + std::string(100, '[') + std::string(100, ']')));
  std::string nested = "always";
  for (int i = 0; i < 12; ++i) nested = "{not: " + nested + "}";
  const auto deep = ParseWith("rules:\n  - {name: a, when: " + nested + ", then: allow}");
  ASSERT_FALSE(deep);
  EXPECT_TRUE(deep.error().message().contains("too deep: at most 8 levels"))
      << deep.error().message();
  std::string many = "rules:\n";
  for (int i = 0; i < 1001; ++i) {
    many += "  - {name: r" + std::to_string(i) + ", when: always, then: allow}\n";
  }
  EXPECT_FALSE(ParseWith(many));
  EXPECT_FALSE(
      ParseWith("rules:\n  - {name: " + std::string(2000, 'a') + ", when: always, then: allow}"));
  EXPECT_FALSE(Policy::Parse("policy: {name: \"\xff\", version: \"1\"}"));
}

// Whatever the bytes: a policy or an error with a place.
TEST(PolicyDocumentTest, SurvivesDamagedText) {
  const auto folder = std::filesystem::path(__FILE__).parent_path() / "../../../docs/policies";
  std::uint32_t random = 1;
  const auto next = [&](std::size_t below) {
    random = random * 1'664'525U + 1'013'904'223U;
    return static_cast<std::size_t>(random >> 8) % below;
  };
  constexpr std::string_view kPieces = "{}[]:,-#&*!|>'\"%@`\n \t?a0";
  for (const char* name : {"purchase-limit.yaml", "working-hours.yaml"}) {
    const std::string whole = ReadFile(folder / name).value();
    for (int i = 0; i < 400; ++i) {
      std::string text = whole;
      for (int change = 0; change < 3; ++change) {
        text[next(text.size())] = kPieces[next(kPieces.size())];
      }
      if (i % 4 == 0) text.resize(next(text.size()));
      const auto policy = Policy::Parse(text);
      if (policy) continue;
      EXPECT_EQ(policy.error().code(), ErrorCode::kInvalidArgument);
      EXPECT_TRUE(policy.error().details().contains("line")) << policy.error().message();
    }
  }
}

TEST(PolicyDocumentTest, DigestIsOfWhatIsSaid) {
  const auto one = ParseWith("rules:\n  - {name: a, when: {domain: a.com}, then: allow}");
  const auto same = ParseWith(
      "# a comment\nrules:\n  - name: a\n    then: {allow: true}\n    when:\n      domain:\n"
      "        in: [a.com]\n");
  const auto other = ParseWith("rules:\n  - {name: a, when: {domain: b.com}, then: allow}");
  ASSERT_TRUE(one && same && other);
  EXPECT_EQ(one->digest().size(), 64U);
  EXPECT_EQ(one->digest(), same->digest());
  EXPECT_NE(one->digest(), other->digest());
}

TEST(PolicyDocumentTest, NamesTheFileInItsErrors) {
  const auto missing = Policy::Load("/nonexistent/policy.yaml");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code(), ErrorCode::kNotFound);
}

}  // namespace
}  // namespace falconer::policy
