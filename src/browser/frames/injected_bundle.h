#pragma once
// The script that runs in pages, bundled from src/browser/injected/.

#include <string_view>

namespace falconer::browser {

std::string_view InjectedBundle();

}  // namespace falconer::browser
