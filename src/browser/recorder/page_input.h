#pragma once
// PageInput: one thing that somebody did in a page, as the script there told it.

#include <functional>
#include <optional>
#include <string>

#include "base/ids.h"
#include "browser/frames/page_script.h"
#include "browser/session.h"
#include "model/action/action.h"
#include "model/fingerprint/fingerprint.h"

namespace falconer::browser {

// Who acts in the pages of a session. Any further number is a person.
inline constexpr int kWindowHand = 0;  // whoever sits in front of a window
inline constexpr int kAgentHand = 1;
inline constexpr int kFirstPersonHand = 2;

struct PageInput {
  // Its target has the selectors of the fingerprint, in the frame where it was met; nothing where
  // no element was.
  model::ActionSpec spec;
  std::optional<model::Fingerprint> element;
  // The field keeps its text from others; the spec has none then.
  bool is_secret = false;
  // Nothing where the page was not told who acts.
  std::optional<int> hand;
  TabId tab;
  std::string url;  // where the tab was
};

using PageInputSink = std::function<void(PageInput)>;

// Where a document is that tells something.
struct ToldFrom {
  ScriptCall place;
  TabId tab;
};

// The message of a document as input. Fails with kInvalidArgument naming the field, never its
// content. `session` is the one the document belongs to.
Result<PageInput> ReadPageInput(const json::object& message, const ToldFrom& from,
                                Session& session);

}  // namespace falconer::browser
