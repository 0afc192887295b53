#pragma once
// The policy that the demo plays under, embedded from demo_policy.yaml; {{shop}} stands for the
// shop's host and port.

#include <string_view>

namespace falconer::app {

std::string_view DemoPolicy();

}  // namespace falconer::app
