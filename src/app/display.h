#pragma once
// Whether there is a screen to show windows on.

namespace falconer::app {

// Whether a window can be shown to whoever started this program.
bool HasDisplay();

}  // namespace falconer::app
