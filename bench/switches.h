#pragma once
// How the browser is started: the same binary and the same switches for every contestant that takes
// them, so that only the drivers differ.

#include <string>
#include <vector>

namespace falconer::bench {

// $BENCH_CHROMIUM (a full path), or /usr/bin/chromium-headless-shell.
std::string BrowserBinary();

// Quiet, deterministic, isolated per site. Without feature lists, transport and profile: a second
// --disable-features would silence the first, and each driver brings its own.
std::vector<std::string> LeanSwitches();

}  // namespace falconer::bench
