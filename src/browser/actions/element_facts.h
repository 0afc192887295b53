#pragma once
// What the script tells about the element that an action is about to meet.

#include "base/json/json.h"
#include "browser/frames/page_script.h"
#include "model/policy_facts.h"

namespace falconer::browser {

// Strict: facts that cannot be read decide nothing. kProtocolError names the field. The
// addresses of page and frame are not the page's to tell; the kinds of the form's fields are left
// to whoever judges them.
Result<model::ElementFacts> ReadElementFacts(const json::value& met);

// ElementFacts::frame_url of what is met in this document.
std::string FrameAddress(const ScriptCall& place);

// Whether a press on it goes to a document of its own, about which these facts say nothing.
bool HoldsDocument(const model::ElementFacts& met);

}  // namespace falconer::browser
