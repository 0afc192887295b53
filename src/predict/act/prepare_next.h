#pragma once
// What can be prepared of the step after the one that is carried out now: the way to another host.
// Nothing is asked of it, and nothing is done on the page.

#include "predict/act/run_frame.h"

namespace falconer::predict {

// `confidence` of the step that is carried out.
void PrepareNext(RunFrame& frame, const OpenStep& now, double confidence);

// Where the step leads by itself: the address of a navigation, or of an absolute link; "" for
// nowhere.
std::string LeadsTo(const WorkflowStep& step);

}  // namespace falconer::predict
