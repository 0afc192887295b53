#include "api/mcp/content.h"

#include <gtest/gtest.h>

#include "api/mcp/tool.h"

namespace falconer::api {
namespace {

TEST(ContentTest, PiecesHaveTheirForms) {
  EXPECT_EQ(json::serialize(TextContent("hi")), R"({"type":"text","text":"hi"})");
  EXPECT_EQ(json::serialize(AudioContent("aGk=", "audio/wav")),
            R"({"type":"audio","data":"aGk=","mimeType":"audio/wav"})");
  EXPECT_EQ(
      json::serialize(LinkContent({.uri = "a://b", .name = "b", .mime = "text/plain", .bytes = 7})),
      R"({"type":"resource_link","uri":"a://b","name":"b","mimeType":"text/plain","size":7})");
  EXPECT_EQ(json::serialize(LinkContent({.uri = "a://b", .name = "b", .mime = ""})),
            R"({"type":"resource_link","uri":"a://b","name":"b"})");
  EXPECT_EQ(json::serialize(EmbeddedContent({.uri = "a://b", .mime = "text/plain", .text = ""})),
            R"({"type":"resource","resource":{"uri":"a://b","mimeType":"text/plain","text":""}})");
}

std::vector<std::string> TypesOf(const ToolAnswer& answer) {
  std::vector<std::string> types;
  const json::object object = answer.ToJson();
  for (const json::value& piece : object.at("content").as_array())
    types.push_back(TextAt(piece.as_object(), "type"));
  return types;
}

TEST(ContentTest, AnAnswerBeginsWithItsTextAndEndsWithItsLinks) {
  ToolAnswer answer{.text = "ok"};
  answer.image = ToolImage{.base64 = "aGk=", .mime = "image/png"};
  answer.links = {{.uri = "a://b", .name = "b", .mime = ""}};
  answer.more = {AudioContent("aGk=", "audio/wav")};

  EXPECT_EQ(TypesOf(answer), (std::vector<std::string>{"text", "image", "audio", "resource_link"}));
}

TEST(ContentTest, AnAnswerWithoutATextHasAnEmptyOneUnlessAnotherPieceSaysItAll) {
  ToolAnswer answer;
  EXPECT_EQ(TypesOf(answer), std::vector<std::string>{"text"});
  answer.more = {AudioContent("aGk=", "audio/wav")};
  EXPECT_EQ(TypesOf(answer), std::vector<std::string>{"audio"});
}

}  // namespace
}  // namespace falconer::api
