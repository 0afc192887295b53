#include "api/tools/log_tools.h"

#include <gtest/gtest.h>

namespace falconer::api {
namespace {

using model::NetworkEventKind;

model::NetworkEvent Event(std::string id, std::string url, std::string type, int status) {
  return {.kind = status == 0 ? NetworkEventKind::kRequest : NetworkEventKind::kResponse,
          .method = "GET",
          .url = std::move(url),
          .status = status,
          .resource_type = std::move(type),
          .request_id = std::move(id)};
}

std::vector<std::string> Texts(const std::vector<model::ViewLine>& lines) {
  std::vector<std::string> texts;
  for (const model::ViewLine& line : lines) texts.push_back(line.text);
  return texts;
}

TEST(LogToolsTest, ARequestIsOneLineWithWhatCameOfIt) {
  const std::vector<model::NetworkEvent> events = {Event("1", "http://a/", "Document", 0),
                                                   Event("2", "http://a/api", "Fetch", 0),
                                                   Event("1", "http://a/", "Document", 200)};

  EXPECT_EQ(Texts(RequestLines(events, StaticFiles::kDrop, std::nullopt)),
            (std::vector<std::string>{"GET \"http://a/\" 200", "GET \"http://a/api\""}));
}

TEST(LogToolsTest, FilesThatCameWellAreLeftOutUnlessAskedFor) {
  const std::vector<model::NetworkEvent> events = {Event("1", "http://a/x.png", "Image", 200),
                                                   Event("2", "http://a/y.png", "Image", 404)};

  EXPECT_EQ(RequestLines(events, StaticFiles::kDrop, std::nullopt).size(), 1u);
  EXPECT_EQ(RequestLines(events, StaticFiles::kTell, std::nullopt).size(), 2u);
}

TEST(LogToolsTest, AFilterChoosesByAddress) {
  const std::vector<model::NetworkEvent> events = {Event("1", "http://a/api/1", "Fetch", 200),
                                                   Event("2", "http://a/log", "Fetch", 200)};
  const auto filter = model::Pattern::Compile("/api/", model::PatternMode::kRegex).value();

  EXPECT_EQ(RequestLines(events, StaticFiles::kDrop, filter).size(), 1u);
}

TEST(LogToolsTest, OnlyTheNewestAreTold) {
  std::vector<model::NetworkEvent> events;
  for (int i = 0; i < 150; ++i)
    events.push_back(Event(std::to_string(i), "http://a/" + std::to_string(i), "Fetch", 200));

  const auto lines = RequestLines(events, StaticFiles::kDrop, std::nullopt);

  EXPECT_EQ(lines.size(), 100u);
  EXPECT_EQ(lines.front().text, "GET \"http://a/50\" 200");
}

}  // namespace
}  // namespace falconer::api
