#pragma once
// What people see of an action before it begins: everything that it was told to do.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/approvals/file_marks.h"
#include "engine/approvals/request_preview.h"
#include "model/action/action.h"
#include "model/policy_facts.h"

namespace falconer::engine {

// Of an action, what its caller says beyond its kind.
struct ActionTold {
  model::ActionType type = model::ActionType::kWaitOnly;
  std::string script;
  std::string argument;  // of the script, as JSON
  std::vector<model::UploadFile> files;
};
ActionTold ToldBy(const model::ActionSpec& spec);

struct AskedAction {
  ActionTold told;
  std::string page_url;
  std::string target_url;  // "" when it leads nowhere that is known
  std::string contract_digest;
  // The element it is about to meet.
  std::optional<model::ElementFacts> element;
  std::filesystem::path artifacts;  // where its files are
};

// As people are shown it, and the files it was shown with.
struct ShownAction {
  ActionInWords words;
  std::vector<FileMark> files;
};
// Fails as ArtifactFolder::ResolveUpload and HashFile for files that are not there.
Task<Result<ShownAction>> ShowAction(CallContext ctx, AskedAction asked);

}  // namespace falconer::engine
