#pragma once
// Calls into Falconer's script in a page. The script lives in a world of its own; a document that
// has not got it yet gets it the first time it is needed there.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/async/call_context.h"
#include "browser/frames/frame.h"

namespace falconer::browser {

// One call, bound to one document: should the frame navigate meanwhile, the call fails with
// kContextDestroyed and never reaches the next page.
struct ScriptCall {
  // Who is asked before it leaves: the fence of the turn that runs, or nobody, for what only looks
  // and is no part of any turn.
  enum class Asks : std::uint8_t { kFence, kNobody };

  std::shared_ptr<Frame> frame;
  std::shared_ptr<Document> document;
  Asks asks = Asks::kFence;

  // The frame's document of this moment.
  static ScriptCall Into(const std::shared_ptr<Frame>& frame) { return {frame, frame->document}; }
};

// Calls function `name` with `args` and returns its object. Failures that the script reports come
// back under their own code (kElementNotFound, kElementObscured, ...) with the details it gave.
Task<Result<json::object>> CallScript(CallContext ctx, ScriptCall call, std::string name,
                                      json::object args);

// Makes the script come by itself with every document of a tab's main frame: sending it anew would
// cost more than all the rest of a small page. Other frames get it when they need it.
cdp::PageAddScriptToEvaluateOnNewDocument ScriptForMainFrame();

// Calls a function without waiting for it, in a document that has the script already.
void PostScript(const ScriptCall& call, std::string_view name, json::object args);

// The same for a function that returns an element: its object id in the page.
Task<Result<std::string>> CallScriptForElement(CallContext ctx, ScriptCall call, std::string name,
                                               json::object args);

// Evaluates a caller's expression (a function body or expression) with one argument, apart from
// Falconer's own script. Fails with kScriptError carrying the exception's text.
Task<Result<json::value>> EvaluateGuest(CallContext ctx, ScriptCall call, std::string expression,
                                        json::value argument);

// A number that no other call has, and the name of a wait or guard in a page made of it: a page
// knows only one of each name, and any number of callers may be at work there.
std::uint64_t NewCallNumber();
std::string NewCallId();

// Whole milliseconds left before the deadline, a little less than all of it: the page answers
// before the caller gives up.
std::int64_t PageTimeout(const CallContext& ctx);

// Evaluates an expression there without waiting for it, in a document where one has been before.
void PostGuest(const ScriptCall& call, std::string expression);

// True for failures that mean: the document that was spoken to is gone. Its frame may show another.
bool IsDocumentGone(ErrorCode code);

// The code that a failure of the script stands for.
ErrorCode CodeOfScriptFailure(std::string_view code);

}  // namespace falconer::browser
