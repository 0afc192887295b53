#pragma once
// Navigator: finds what a target names. The result is bound to one document, so a page that
// navigates or renders anew can never receive what was meant for another.

#include <memory>
#include <string>
#include <vector>

#include "browser/frames/page_script.h"
#include "browser/session.h"
#include "model/action/target.h"

namespace falconer::browser {

// Where a target was found: the tab, the document, and how the script in it names the element.
struct BoundTarget {
  std::shared_ptr<Tab> tab;
  ScriptCall place;
  // The `target` argument for functions of the script.
  json::object argument;
  // 1.0 named by ref or selector, 0.7 by a later candidate.
  double confidence = 1.0;

  // The arguments of a script call on this target.
  json::object Arguments() const { return {{"target", argument}}; }
};

// What to do about a frame on the way that is not there.
enum class MissingFrame { kWaitFor, kFail };

class Navigator {
 public:
  explicit Navigator(Session& session) : session_(session) {}

  // The tab an action goes to: the named one, or the active one. Fails when it cannot be driven.
  Result<std::shared_ptr<Tab>> TabFor(const TabId& id) const;

  // Enters the target's frames and binds it. Selectors are resolved when the script acts, so an
  // element that appears later is waited for there. kStaleRef for a ref of a document that is gone,
  // kElementNotFound or kElementAmbiguous for a frame path that does not lead to one frame.
  Task<Result<BoundTarget>> Bind(CallContext ctx, std::shared_ptr<Tab> tab, model::Target target,
                                 MissingFrame missing = MissingFrame::kWaitFor);

  // The selectors of the target, each bound, in the order to try them.
  Task<Result<std::vector<BoundTarget>>> BindCandidates(CallContext ctx, std::shared_ptr<Tab> tab,
                                                        model::Target target);

  // What matches a selector, as the page describes it: for `find`, for messages, for recording.
  Task<Result<json::object>> Query(CallContext ctx, BoundTarget target, int limit);
  // The element's description and a set of selectors that each name it alone, best first.
  Task<Result<json::object>> DescribeElement(CallContext ctx, BoundTarget target);

 private:
  // Where a selector begins.
  struct Start {
    std::string fid;
    MissingFrame missing = MissingFrame::kWaitFor;
  };

  Result<BoundTarget> BindRef(const std::shared_ptr<Tab>& tab, const std::string& ref) const;
  Task<Result<BoundTarget>> BindSelector(CallContext ctx, std::shared_ptr<Tab> tab, Start start,
                                         model::Selector selector, model::Strictness strictness);
  Task<Result<std::shared_ptr<Frame>>> EnterFrames(CallContext ctx, std::shared_ptr<Tab> tab,
                                                   Start start, std::vector<model::Selector> path);
  Task<Result<std::shared_ptr<Frame>>> EnterFrame(CallContext ctx, std::shared_ptr<Tab> tab,
                                                  ScriptCall place, model::Selector selector,
                                                  MissingFrame missing);

  Session& session_;
};

// The document number in a ref ("d7e12" is 7), or nothing when it is no ref.
std::optional<std::uint32_t> DocumentOfRef(std::string_view ref);

}  // namespace falconer::browser
