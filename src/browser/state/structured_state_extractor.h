#pragma once
// StructuredStateExtractor: reads the state of a tab. Every frame is read by one call into its
// page, all frames at once; the answers are joined into one state in the tab's coordinates.

#include <memory>

#include "browser/session.h"
#include "browser/state/page_reading.h"
#include "model/action/action.h"
#include "model/state/state.h"

namespace falconer::browser {

struct StateLimits {
  std::size_t frames = 8;
  std::size_t elements = 48;
  std::size_t texts = 40;
  std::size_t forms = 6;
  std::size_t errors = 12;
};

struct StateRequest {
  model::StateScope scope = model::StateScope::kViewport;
  // Elements to skip in the main frame, to read on in a long page.
  std::size_t offset = 0;
  StateLimits limits;
};

struct StateReading {
  model::StructuredState state;
  PageMark mark;
};

class StructuredStateExtractor {
 public:
  // `session` must outlive the extractor.
  explicit StructuredStateExtractor(Session& session) : session_(session) {}

  // The state of `tab` now. While a dialog is open the page cannot be read: the state then holds
  // the dialog and what is known without the page. Frames that cannot be read are left out and
  // counted; a page that leaves while it is read is followed to the next one. kTabClosed,
  // kTabCrashed, kTimeout.
  Task<Result<model::StructuredState>> Read(CallContext ctx, std::shared_ptr<Tab> tab,
                                            StateRequest request);

  // The same, with a mark to tell later changes by. The main frame is not asked again when the page
  // was `just_read` in the way that the request wants.
  Task<Result<StateReading>> ReadMarked(CallContext ctx, std::shared_ptr<Tab> tab,
                                        StateRequest request,
                                        std::optional<PageReading> just_read = std::nullopt);

  // Elements anywhere in the main frame's page that match the words, best first.
  Task<Result<json::object>> Find(CallContext ctx, std::shared_ptr<Tab> tab, std::string words,
                                  int limit);

 private:
  Task<Result<void>> ReadPage(CallContext ctx, std::shared_ptr<Tab> tab, StateRequest request,
                              std::optional<PageReading> just_read, StateReading* into);
  Task<Result<void>> ReadFrames(CallContext ctx, std::shared_ptr<Tab> tab, StateRequest request,
                                std::optional<PageReading> just_read, StateReading* into);
  Task<void> AddTabs(CallContext ctx, std::shared_ptr<Tab> tab, model::StructuredState* state);
  void AddActivity(Tab& tab, model::StructuredState& state) const;

  Session& session_;
};

}  // namespace falconer::browser
