#pragma once
// PageMemory: what the caller was last told of each tab of each session, so that an answer can say
// what is new to him, whatever happened in between.

#include <map>
#include <string>

#include "model/state/delta.h"
#include "model/state/state.h"

namespace falconer::api {

class PageMemory {
 public:
  // What changed since the caller was told last; the whole state when he never was. He counts as
  // told now. While a dialog is open nothing else can be seen of a page: then it is told alone, and
  // the rest stays as it was known.
  model::StateDelta News(const std::string& session, const model::StructuredState& now);
  // The caller was shown this state as a whole.
  void Shown(const std::string& session, model::StructuredState state);
  void Forget(const std::string& session);

 private:
  // By tab.
  using Tabs = std::map<std::string, model::StructuredState>;
  std::map<std::string, Tabs> told_;
};

}  // namespace falconer::api
