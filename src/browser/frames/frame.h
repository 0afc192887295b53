#pragma once
// Frame: a place in a tab that holds one document after another. It may move between processes;
// its id stays.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "browser/frames/document.h"
#include "cdp/session.h"

namespace falconer::browser {

struct Frame : std::enable_shared_from_this<Frame> {
  // The browser's id of the frame.
  std::string id;
  // Our short name ("f1"), stable for the life of the tab.
  std::string fid;
  std::string name;
  // Null for the main frame. Owned, because calls under way hold on to frames that are gone.
  std::shared_ptr<Frame> parent;
  // Not owning: the tree is.
  std::vector<Frame*> children;
  // The session that answers for the frame's process.
  std::shared_ptr<cdp::Session> session;
  // Kept alive by calls that are bound to it; never null once the frame is attached.
  std::shared_ptr<Document> document;
  // The loader of a navigation that has been requested and not yet committed.
  std::optional<std::string> pending_loader;
  // A navigation was asked for whose request has not started (a submitted form, location = ...).
  bool is_navigation_requested = false;
  bool is_detached = false;

  bool is_main() const { return parent == nullptr; }
  bool is_navigating() const { return pending_loader.has_value() || is_navigation_requested; }
};

}  // namespace falconer::browser
