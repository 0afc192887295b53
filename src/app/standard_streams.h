#pragma once
// The standard streams of the process, before anything else is opened.

namespace falconer::app {

// Takes the numbers of standard streams that are closed, so that no file gets one of them and is
// then read as input or printed into. Using such a stream fails as if it were closed.
void HoldStandardStreams();

}  // namespace falconer::app
