#include "tests/conformance_mcp/fixture_resources.h"

#include <algorithm>
#include <string>

#include "tests/conformance_mcp/input_questions.h"
#include "tests/conformance_mcp/samples.h"

namespace falconer::test {
namespace {

constexpr std::string_view kTemplateBegin = "test://template/";
constexpr std::string_view kTemplateEnd = "/data";

const std::vector<api::ResourceContent>& Kept() {
  static const std::vector<api::ResourceContent> kept = {
      {.uri = "test://static-text", .mime = "text/plain", .text = "The static text resource."},
      {.uri = "test://static-binary",
       .mime = "image/png",
       .text = std::nullopt,
       .blob = std::string(kSamplePng)},
      {.uri = "test://watched-resource", .mime = "text/plain", .text = "Watched content"},
  };
  return kept;
}

// "test://template/123/data" -> "123"; "" for another form.
std::string IdIn(std::string_view uri) {
  if (!uri.starts_with(kTemplateBegin) || !uri.ends_with(kTemplateEnd) ||
      uri.size() <= kTemplateBegin.size() + kTemplateEnd.size())
    return "";
  uri.remove_prefix(kTemplateBegin.size());
  uri.remove_suffix(kTemplateEnd.size());
  return std::string(uri);
}

class KeptResources : public api::ResourceSource {
 public:
  Task<Result<api::ResourcePage>> List(CallContext, std::string from) override {
    if (!from.empty()) co_return Fail(ErrorCode::kInvalidArgument, "cursor: unknown");
    api::ResourcePage page;
    for (const api::ResourceContent& each : Kept())
      page.resources.push_back(
          {.uri = each.uri, .name = each.uri, .description = "A resource.", .mime = each.mime});
    co_return page;
  }

  std::vector<api::ResourceTemplate> Templates() const override {
    return {{.uri_template = "test://template/{id}/data",
             .name = "template",
             .mime = "application/json"}};
  }

  Task<Result<api::ResourceReading>> Read(CallContext, std::string uri) override {
    if (const std::string id = IdIn(uri); !id.empty()) {
      const json::object data{{"id", id}, {"templateTest", true}, {"data", "Data for ID: " + id}};
      co_return api::ResourceReading{
          .contents = {{.uri = uri, .mime = "application/json", .text = json::serialize(data)}}};
    }
    const auto found = std::ranges::find(Kept(), uri, &api::ResourceContent::uri);
    if (found == Kept().end()) co_return Fail(ErrorCode::kNotFound, "there is no " + uri);
    co_return api::ResourceReading{.contents = {*found}};
  }
};

class WordCompleter : public api::Completer {
 public:
  Task<Result<api::Completion>> Complete(CallContext, api::CompletionQuestion question) override {
    api::Completion completion;
    for (const std::string_view word : {"paris", "park", "party", "test"}) {
      if (word.starts_with(question.value)) completion.values.emplace_back(word);
    }
    co_return completion;
  }
};

}  // namespace

std::shared_ptr<api::ResourceSource> FixtureResources() {
  return std::make_shared<KeptResources>();
}

std::shared_ptr<api::Completer> FixtureCompleter() {
  return std::make_shared<WordCompleter>();
}

}  // namespace falconer::test
