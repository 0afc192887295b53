#include "engine/control/asked_action.h"

#include <utility>

#include "browser/context/artifact_folder.h"

namespace falconer::engine {
namespace {

using Details = std::vector<model::PreviewField>;

void AddDetail(Details& details, std::string name, std::string value) {
  if (!value.empty()) details.push_back({.name = std::move(name), .value = std::move(value)});
}

void AddElement(Details& details, const model::ElementFacts& element) {
  AddDetail(details, "element", element.role.empty() ? element.tag : element.role);
  AddDetail(details, "its name", element.name);
  if (element.label != element.name) AddDetail(details, "its label", element.label);
  AddDetail(details, "its id", element.identifier);
  AddDetail(details, "leads to", element.href);
  AddDetail(details, "in frame", element.frame_url);
}

Result<std::vector<std::filesystem::path>> PathsOf(const AskedAction& asked) {
  const browser::ArtifactFolder folder(asked.artifacts);
  std::vector<std::filesystem::path> paths;
  for (const model::UploadFile& file : asked.told.files) {
    TRY_ASSIGN(auto path, folder.ResolveUpload(file.path.empty() ? file.artifact_id : file.path));
    paths.push_back(std::move(path));
  }
  return paths;
}

std::vector<model::PreviewFile> FilesToShow(const AskedAction& asked,
                                            const std::vector<FileMark>& marks) {
  std::vector<model::PreviewFile> files;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    files.push_back({.field = asked.told.files[i].path.empty() ? "artifact" : "file",
                     .name = marks[i].path.filename().string(),
                     .content_type = "",
                     .bytes = marks[i].bytes,
                     .sha256 = marks[i].sha256});
  }
  return files;
}

}  // namespace

ActionTold ToldBy(const model::ActionSpec& spec) {
  return {.type = spec.type,
          .script = spec.js_expression.value_or(""),
          .argument = spec.js_argument ? json::serialize(*spec.js_argument) : "",
          .files = spec.files};
}

Task<Result<ShownAction>> ShowAction(CallContext ctx, AskedAction asked) {
  CO_TRY_ASSIGN(auto paths, PathsOf(asked));
  ShownAction shown;
  CO_TRY_ASSIGN(shown.files, co_await MarkFiles(std::move(ctx), std::move(paths)));
  ActionInWords& words = shown.words;
  words.what = "Carry out " + std::string(model::ActionName(asked.told.type)) +
               (asked.target_url.empty() ? "" : " at " + asked.target_url);
  words.url = asked.page_url;
  words.digest = DigestWithFiles(asked.contract_digest, shown.files);
  words.script = asked.told.script;
  words.files = FilesToShow(asked, shown.files);
  AddDetail(words.details, "address", asked.target_url);
  AddDetail(words.details, "argument", asked.told.argument);
  if (asked.element) AddElement(words.details, *asked.element);
  co_return shown;
}

}  // namespace falconer::engine
