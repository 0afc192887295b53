#pragma once
// Fingerprints as the script in a page tells them.

#include <string>

#include "browser/frames/page_script.h"
#include "model/fingerprint/fingerprint.h"

namespace falconer::browser {

// Fingerprint::frame of what is in this document: its address without query and fragment, "" in the
// main frame.
std::string FrameOf(const ScriptCall& place);

// The fingerprint, with its frame; selectors that nobody could use are left out. Fails with
// kInvalidArgument naming the field.
Result<model::Fingerprint> ReadFingerprint(const ScriptCall& place, const json::value& told);

}  // namespace falconer::browser
