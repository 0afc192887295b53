#include "policy/body/request_body.h"

#include <gtest/gtest.h>

#include "base/sha256.h"
#include "policy/body/header_parameter.h"
#include "policy/body/multipart.h"

namespace falconer::policy {
namespace {

constexpr const char* kJsonType = "application/json";

std::string ValueOf(const RequestBody& body, std::string_view name) {
  for (const BodyField& field : body.fields) {
    if (field.name == name) return field.value;
  }
  return "(none)";
}

TEST(HeaderParameterTest, ReadsWhatBrowsersWrite) {
  struct Row {
    const char* header;
    const char* name;
    std::optional<std::string> value;
  };
  const Row rows[] = {
      {"form-data; name=\"a;b\"; filename=\"x=1; name=c\"", "name", "a;b"},
      {"form-data; name=\"a;b\"; filename=\"x=1; name=c\"", "filename", "x=1; name=c"},
      {"form-data; filename=\"name=q\"; NAME = bare ", "name", "bare"},
      {"multipart/form-data;boundary=B", "boundary", "B"},
      {"multipart/form-data; x-boundary=A; boundary=\"B 1\"", "boundary", "B 1"},
      {"form-data; name=\"\"", "name", ""},
      {"form-data; name=\"cut", "name", "cut"},
      {"form-data", "name", std::nullopt},
      {"", "name", std::nullopt},
  };
  for (const Row& row : rows)
    EXPECT_EQ(HeaderParameter(row.header, row.name), row.value) << row.header;
}

TEST(RequestBodyTest, ReadsForms) {
  const RequestBody body =
      ReadRequestBody("application/x-www-form-urlencoded", "a=1+2&b%5Bc%5D=%C3%A4&d&&e=x%zz=");
  EXPECT_EQ(body.form, BodyForm::kUrlEncoded);
  EXPECT_EQ(ValueOf(body, "a"), "1 2");
  EXPECT_EQ(ValueOf(body, "b[c]"), "ä");
  EXPECT_EQ(ValueOf(body, "d"), "");
  EXPECT_EQ(ValueOf(body, "e"), "x%zz=");
  EXPECT_TRUE(body.is_whole);
}

TEST(RequestBodyTest, ReadsMultipart) {
  const RequestBody body = ReadRequestBody(
      "multipart/form-data; boundary=\"B 1\"",
      "--B 1\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--B 1\r\n"
      "content-disposition: form-data; name=f; filename=\"x;y.txt\"\r\nContent-Type: a/b\r\n\r\n"
      "secret\r\n--B 1\r\nContent-Disposition: form-data; name=\"filename\"\r\n\r\nx\r\n"
      "--B 1--\r\n");
  EXPECT_EQ(body.form, BodyForm::kMultipart);
  ASSERT_EQ(body.fields.size(), 3U);
  EXPECT_EQ(ValueOf(body, "a"), "1");
  EXPECT_EQ(body.fields[1].kind, BodyField::Kind::kFile);
  EXPECT_EQ(body.fields[1].value, "") << "the content of a file stays out";
  EXPECT_EQ(ValueOf(body, "filename"), "x") << "a field that is called so is no file";
  EXPECT_TRUE(body.is_whole);
}

TEST(RequestBodyTest, SaysWhenMultipartIsBroken) {
  for (const char* text : {"", "x", "--B", "--B\r\nno head"}) {
    const RequestBody body = ReadRequestBody("multipart/form-data; boundary=B", text);
    EXPECT_TRUE(!body.is_whole || body.form == BodyForm::kNone) << text;
  }
  EXPECT_FALSE(ReadRequestBody("multipart/form-data", "--B\r\n").is_whole);
  const RequestBody cut = ReadRequestBody(
      "multipart/form-data; boundary=B",
      "--B\r\nContent-Disposition: form-data; name=\"f\"; filename=\"a\"\r\n\r\nhalf of it");
  EXPECT_FALSE(cut.is_whole);
  ASSERT_EQ(cut.fields.size(), 1U);
  EXPECT_EQ(cut.fields[0].kind, BodyField::Kind::kFile);
}

TEST(RequestBodyTest, ReadsPartsThatALenientServerWouldRead) {
  const std::string part = "Content-Disposition: form-data; name=\"_method\"";
  const std::string bodies[] = {
      "preamble\r\n--B\r\n" + part + "\r\n\r\ndelete\r\n--B--\r\n",
      "--B\n" + part + "\n\ndelete\n--B--\n",
      "--B  \r\n" + part + "\r\n\r\ndelete\r\n--B--",
      "--B--\r\n--B\r\n" + part + "\r\n\r\ndelete\r\n--B--\r\n",
      "--B\r\n" + part + "\r\n\r\ndelete",
  };
  for (const std::string& body : bodies) {
    EXPECT_EQ(ValueOf(ReadRequestBody("multipart/form-data; boundary=B", body), "_method"),
              "delete")
        << body;
  }
}

TEST(RequestBodyTest, ReadsEmptyParts) {
  const MultipartBody body = ReadMultipartBody(
      "multipart/form-data; boundary=B",
      "--B\r\nContent-Disposition: form-data; name=a\r\n\r\n\r\n--B\r\n\r\nx\r\n--B--\r\n");
  ASSERT_EQ(body.parts.size(), 2U);
  EXPECT_EQ(body.parts[0].field, "a");
  EXPECT_EQ(body.parts[0].content, "");
  EXPECT_EQ(body.parts[1].content, "x") << "a part without a head";
  EXPECT_TRUE(body.is_whole);
}

TEST(RequestBodyTest, ReadsJsonWhateverItIsCalled) {
  for (const char* type :
       {"application/json; charset=utf-8", "application/vnd.api+json", "text/plain;charset=UTF-8",
        "", "application/x-www-form-urlencoded", "image/png"}) {
    const RequestBody body = ReadRequestBody(type, R"( {"a":{"b":[1,{"c":"x"}]},"d":1.5} )");
    EXPECT_EQ(body.form == BodyForm::kJson, std::string_view(type) != "image/png") << type;
    EXPECT_EQ(ValueOf(body, "a.b[0]"), "1");
    EXPECT_EQ(ValueOf(body, "a.b[1].c"), "x");
    EXPECT_EQ(ValueOf(body, "d"), "1.5");
  }
}

TEST(RequestBodyTest, ReadsNearlyJson) {
  for (const char* text :
       {R"({"action":"delete","action":"list"})", R"({"action":"delete",})", R"({action:'delete'})",
        R"({"action"/* no */:/* no */"delete"})", R"({"\u0061ction":"delete",})",
        "\xEF\xBB\xBF{\"action\":\"delete\"}", R"({'"':1,"action":"delete"})",
        R"({"a":"/*","action":"delete","b":"*/",})"}) {
    const RequestBody body = ReadRequestBody(kJsonType, text);
    EXPECT_EQ(ValueOf(body, "action"), "delete") << text;
    EXPECT_FALSE(body.is_whole) << text;
  }
  const RequestBody lines = ReadRequestBody(kJsonType, "{\"a\":1}\n{\"action\":\"delete\"}\n");
  EXPECT_EQ(ValueOf(lines, "action"), "delete");
  EXPECT_TRUE(lines.is_whole);
}

TEST(RequestBodyTest, SaysWhenThereIsMoreThanItLooksAt) {
  std::string many = "[";
  for (std::size_t i = 0; i < 2 * kMaxBodyFields; ++i) many += "1,";
  many += "1]";
  const RequestBody wide = ReadRequestBody(kJsonType, many);
  EXPECT_LE(wide.fields.size(), kMaxBodyFields);
  EXPECT_TRUE(wide.is_cut);
  EXPECT_TRUE(ReadRequestBody(kJsonType, std::string(100, '[') + std::string(100, ']')).is_cut);
  const std::string long_text(kMaxBodyBytes + 1, 'x');
  EXPECT_FALSE(ReadRequestBody("text/plain", long_text).is_whole);
  EXPECT_FALSE(ReadRequestBody("image/png", long_text).is_cut) << "bytes say nothing";
  EXPECT_TRUE(ReadRequestBody(kJsonType, "{\"a\":\"" + long_text + "\"}").is_cut);
  const std::string file =
      "--B\r\nContent-Disposition: form-data; name=f; filename=a\r\n\r\n" + long_text + "\r\n--B--";
  EXPECT_TRUE(ReadRequestBody("multipart/form-data; boundary=B", file).is_whole);
}

TEST(RequestBodyTest, KnowsWhatIsNothingButGraphQl) {
  const std::string stored = R"({"query":"{ a }","extensions":{"persistedQuery":{"sha256Hash":")";
  struct Row {
    std::string body;
    bool is_only;
    GraphQlUse use;
  };
  const Row rows[] = {
      {R"({"query":"{ a }"})", true, GraphQlUse::kQuery},
      {R"({"query":"query Q { a }","variables":{"x":1},"operationName":"Q","extensions":null})",
       true, GraphQlUse::kQuery},
      {stored + Sha256Hex("{ a }") + R"("}}})", true, GraphQlUse::kQuery},
      {stored + Sha256Hex("{ b }") + R"("}}})", false, GraphQlUse::kQuery},
      {R"([{"query":"{ a }"},{"query":"{ b }"}])", true, GraphQlUse::kQuery},
      {R"({"query":"{ a }","confirm":true})", false, GraphQlUse::kQuery},
      {R"([{"query":"{ a }"},{"id":7}])", false, GraphQlUse::kQuery},
      {R"([{"operationName":"DeleteAll","extensions":{}},{"query":"{ a }"}])", false,
       GraphQlUse::kUnknown},
      {R"([{"query":"mutation { a }"},{"query":"{ a }"}])", true, GraphQlUse::kMutation},
      {R"({"query":"{ a }","operationName":7})", false, GraphQlUse::kQuery},
      {R"({"query":"how to { delete"})", true, GraphQlUse::kUnknown},
      {R"([])", false, GraphQlUse::kNone},
      {R"({"query":"shoes"})", false, GraphQlUse::kNone},
  };
  for (const Row& row : rows) {
    const RequestBody body = ReadRequestBody(kJsonType, row.body);
    EXPECT_EQ(body.is_only_graphql, row.is_only) << row.body;
    EXPECT_EQ(body.graphql, row.use) << row.body;
  }
}

TEST(RequestBodyTest, ReadsGraphQlByItself) {
  const RequestBody body = ReadRequestBody("application/graphql", "{ a { b } }");
  EXPECT_EQ(body.form, BodyForm::kText);
  EXPECT_EQ(body.graphql, GraphQlUse::kQuery);
  EXPECT_TRUE(body.is_only_graphql && body.is_whole);
  const RequestBody other =
      ReadRequestBody("application/graphql", R"({"query":"mutation { deleteAll }"})");
  EXPECT_EQ(other.graphql, GraphQlUse::kMutation);
}

TEST(GraphQlScanTest, TellsQueriesFromMutations) {
  struct Row {
    const char* document;
    GraphQlUse use;
    std::vector<std::string> names;
  };
  const Row rows[] = {
      {"{ a b }", GraphQlUse::kQuery, {"a", "b"}},
      {"query Q($x: Int) { a(y: {z: 1}) { c } }", GraphQlUse::kQuery, {"Q", "a"}},
      {"mutation { x: deleteIt(id: \"}{\") { ok } }", GraphQlUse::kMutation, {"deleteIt"}},
      {"# mutation\nquery { a }", GraphQlUse::kQuery, {"a"}},
      {"fragment F on T { mutation } query Q { ...F }", GraphQlUse::kQuery, {"Q", "F"}},
      {"query A { a } mutation B { pay }", GraphQlUse::kMutation, {"A", "a", "B", "pay"}},
      {"query { a(s: \"\"\"mutation { x }\"\"\") }", GraphQlUse::kQuery, {"a"}},
      {"subscription { s }", GraphQlUse::kQuery, {"s"}},
      {"query { a @include(if: true) { b } }", GraphQlUse::kQuery, {"a"}},
      {"\xEF\xBB\xBFquery { a(n: -1.5e3, l: [1, 2]) }", GraphQlUse::kQuery, {"a"}},
      {"\"\"\"about it\"\"\" query { a }", GraphQlUse::kQuery, {"a"}},
      {"nonsense", GraphQlUse::kUnknown, {}},
      {"", GraphQlUse::kUnknown, {}},
  };
  for (const Row& row : rows) {
    const GraphQlFindings found = ScanGraphQl(row.document);
    EXPECT_EQ(found.use, row.use) << row.document;
    EXPECT_EQ(found.names, row.names) << row.document;
  }
}

TEST(GraphQlScanTest, NothingHidesAMutation) {
  for (const char* document : {
           "query A{a} #\rmutation B{deleteAll}",
           "query A{a(s:\"\"\"\\\"\"\" ( \"\"\")} mutation B{deleteAll}",
           "query A{a(s:\"\\\\\")} mutation B{deleteAll}",
           ",,mutation B{deleteAll}",
           "\"\"\"x\"\"\"mutation B{deleteAll}",
           "mutation B { ... on Mutation { deleteAll } }",
           "mutation B { ... @include(if: true) { deleteAll } }",
           "mutation B { ...F } fragment F on Mutation { deleteAll }",
       }) {
    const GraphQlFindings found = ScanGraphQl(document);
    EXPECT_EQ(found.use, GraphQlUse::kMutation) << document;
    EXPECT_NE(std::ranges::find(found.names, "deleteAll"), found.names.end()) << document;
  }
}

TEST(GraphQlScanTest, BelievesNoBrokenDocument) {
  for (const char* document :
       {"{ a", "{ a }}", "{ a(b }", "{ a) }", "{ a(s: \"x\ny\") }", "{ a(s: \"\"\"x) }", "{ a } ;",
        "{ a } type T { b: Int }", R"({"query":"mutation { deleteAll }",})", "{ a } # x\u2028 y",
        "{ a } \u00e4", "query A"}) {
    EXPECT_EQ(ScanGraphQl(document).use, GraphQlUse::kUnknown) << document;
  }
}

}  // namespace
}  // namespace falconer::policy
