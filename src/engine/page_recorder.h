#pragma once
// PageRecorder: what people do in the pages of a session, as it happens: trusted input that no
// agent's turn sent. On the runtime's event loop.

#include <functional>
#include <optional>
#include <string>

#include "base/async/subscription.h"
#include "engine/runtime.h"
#include "model/action/action.h"
#include "model/fingerprint/fingerprint.h"

namespace falconer::engine {

struct RecordedInput {
  // Click (a double one as click_count), check and uncheck, type with clear_first (the whole text
  // of the field when it is left, cut at kMaxTextLength), fill for what is set as a whole (dates,
  // sliders), clear, select, press (keys that do something by themselves, such as Enter), upload,
  // drag, and navigate or reload where no page asked for it, back and forward by their address.
  // Targets are named by the fingerprint's selectors, the first as the selector and the others as
  // candidates; their frame by its fid, which lasts as long as the tab. An upload has the paths of
  // files that the session's own actions gave, and else only the names of files: those are needed.
  model::ActionSpec spec;
  std::optional<model::Fingerprint> element;
  // The field keeps its text from others; the spec's text is empty then.
  bool is_secret = false;
  // The person who had taken over, or "" for whoever sits in front of a window.
  std::string person;
  TabId tab;
  std::string url;  // where the tab was
};

using RecordedSink = std::function<void(RecordedInput)>;

// Records until the subscription goes, and then tells the last press if it is not told yet. Opens
// the session when it has none, and keeps it in use. Input of agents' turns is left out; that of a
// person's turns is told with the person's name. It ends with the session or its browser, which
// nobody is told here. The sink must not wait, nor let the subscription go. Fails as KitOf, and
// with kAlreadyExists while somebody else records it.
Task<Result<Subscription>> RecordPages(CallContext ctx, Runtime* runtime, browser::SessionKey key,
                                       RecordedSink sink);

// Has the pages tell what was typed into a field that nobody has left yet: before a recording ends.
// Pages that do not answer soon are left. kNotFound when nobody records the session.
Task<Result<void>> FlushRecording(CallContext ctx, Runtime* runtime, browser::SessionKey key);

}  // namespace falconer::engine
