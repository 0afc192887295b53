#pragma once
// The main frame of a tab as its page answered, and how it was asked: what a later change is
// measured against, and what need not be asked again.

#include <memory>
#include <string>

#include "base/json/json.h"
#include "browser/frames/document.h"
#include "model/state/projection.h"

namespace falconer::browser {

struct PageMark {
  std::shared_ptr<Document> document;  // null: the page could not be read
  json::object arguments;
  std::string content_hash;

  // What the script is asked to see a change since by.
  json::object ChangeCondition() const {
    return {{"content_hash", std::string_view(content_hash)}, {"read_as", arguments}};
  }
};

struct PageReading {
  std::shared_ptr<Document> document;
  model::FrameProjection answer;
};

}  // namespace falconer::browser
