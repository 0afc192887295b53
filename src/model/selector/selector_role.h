#pragma once
// The body of a role step: `button[name="Save"][expanded]`.

#include "model/selector/selector.h"
#include "model/selector/selector_scan.h"

namespace falconer::model {

// Leaves the scan behind the last attribute. Fails with kInvalidSelector.
Result<RoleMatch> ParseRole(SelectorScan& scan);

}  // namespace falconer::model
