#pragma once
// PageRecorder: what people do in the pages of a session, as it happens: trusted input that no
// agent's turn sent. On the runtime's event loop.

#include <functional>

#include "base/async/subscription.h"
#include "engine/runtime.h"
#include "model/action/action.h"
#include "model/fingerprint/fingerprint.h"

namespace falconer::engine {

struct RecordedInput {
  // Click, double click as click_count, type (the whole text of the field when it is left), select,
  // press (keys that do something by themselves, such as Enter), upload, drag, and navigate for
  // addresses that no page asked for. Targets are named by the fingerprint's first selector.
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

// Records until the subscription goes. Opens the session when it has none. Fails as KitOf, and with
// kAlreadyExists while somebody else records it.
Task<Result<Subscription>> RecordPages(CallContext ctx, Runtime* runtime, browser::SessionKey key,
                                       RecordedSink sink);

}  // namespace falconer::engine
