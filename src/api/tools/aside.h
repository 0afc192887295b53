#pragma once
// Aside, as the ways in know it.

#include "base/async/aside.h"

namespace falconer::api {

using falconer::Aside;

}  // namespace falconer::api
