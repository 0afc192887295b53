#include "api/mcp/param_headers.h"

#include <gtest/gtest.h>

#include "api/mcp/revisions.h"

namespace falconer::api {
namespace {

// A text, a number, a boolean, and a text inside of another argument.
json::object MarkedSchema() {
  return *ParseJsonObject(R"({"type": "object", "properties": {
    "region": {"type": "string", "x-mcp-header": "Region"},
    "shard": {"type": "integer", "x-mcp-header": "Shard"},
    "dry": {"type": "boolean", "x-mcp-header": "Dry"},
    "free": {"type": "string"},
    "where": {"type": "object", "properties": {
      "zone": {"type": "string", "x-mcp-header": "Zone"}}}}})");
}

struct ParamCase {
  std::string_view what;
  std::string_view arguments;
  net::HttpHeaders headers;
  bool is_right;
};

std::vector<ParamCase> ParamCases() {
  return {
      {"nothing marked is given", R"({"free": "x"})", {}, true},
      {"the same text", R"({"region": "eu"})", {{"Mcp-Param-Region", "eu"}}, true},
      {"in any case", R"({"region": "eu"})", {{"mcp-param-region", "eu"}}, true},
      {"another text", R"({"region": "eu"})", {{"Mcp-Param-Region", "us"}}, false},
      {"without the header", R"({"region": "eu"})", {}, false},
      {"twice",
       R"({"region": "eu"})",
       {{"Mcp-Param-Region", "eu"}, {"Mcp-Param-Region", "eu"}},
       false},
      {"encoded", R"({"region": "Hello"})", {{"Mcp-Param-Region", "=?base64?SGVsbG8=?="}}, true},
      {"without padding",
       R"({"region": "Hello"})",
       {{"Mcp-Param-Region", "=?base64?SGVsbG8?="}},
       false},
      {"no base64",
       R"({"region": "Hello"})",
       {{"Mcp-Param-Region", "=?base64?SGVs!!!bG8=?="}},
       false},
      {"half a mark is a text",
       R"({"region": "=?base64?SGVsbG8="})",
       {{"Mcp-Param-Region", "=?base64?SGVsbG8="}},
       true},
      {"null needs none", R"({"region": null})", {}, true},
      {"null has none", R"({"region": null})", {{"Mcp-Param-Region", "eu"}}, false},
      {"not given has none", "{}", {{"Mcp-Param-Region", "eu"}}, false},
      {"a number", R"({"shard": 42})", {{"Mcp-Param-Shard", "42"}}, true},
      {"a number otherwise written", R"({"shard": 42})", {{"Mcp-Param-Shard", "42.0"}}, true},
      {"another number", R"({"shard": 42})", {{"Mcp-Param-Shard", "43"}}, false},
      {"no number", R"({"shard": 42})", {{"Mcp-Param-Shard", "42x"}}, false},
      {"a boolean", R"({"dry": true})", {{"Mcp-Param-Dry", "true"}}, true},
      {"another boolean", R"({"dry": true})", {{"Mcp-Param-Dry", "false"}}, false},
      {"a boolean as a text", R"({"dry": "true"})", {{"Mcp-Param-Dry", "true"}}, true},
      {"inside", R"({"where": {"zone": "a"}})", {{"Mcp-Param-Zone", "a"}}, true},
      {"inside, without the header", R"({"where": {"zone": "a"}})", {}, false},
      {"inside of what is no object", R"({"where": 7})", {}, true},
      {"an object where a text belongs", R"({"region": {}})", {{"Mcp-Param-Region", "{}"}}, false},
  };
}

TEST(ParamHeadersTest, SayWhatTheArgumentsSay) {
  for (const ParamCase& c : ParamCases()) {
    const auto wrong = CheckParamHeaders(c.headers, MarkedSchema(), *ParseJson(c.arguments));
    EXPECT_EQ(!wrong, c.is_right) << c.what;
    if (wrong) EXPECT_EQ(wrong->code, kRpcHeaderMismatch) << c.what;
  }
}

TEST(ParamHeadersTest, SchemasWithoutMarksAskForNothing) {
  const net::HttpHeaders none;
  for (const std::string_view schema :
       {R"({"type": "object"})", R"({"properties": 7})", R"({"properties": {"a": true}})"}) {
    EXPECT_FALSE(CheckParamHeaders(none, *ParseJsonObject(schema), json::object{{"a", "x"}}))
        << schema;
  }
}

}  // namespace
}  // namespace falconer::api
