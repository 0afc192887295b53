#pragma once
// The order form of the demo, embedded from demo_page.html.

#include <string_view>

namespace falconer::app {

std::string_view DemoPage();

}  // namespace falconer::app
