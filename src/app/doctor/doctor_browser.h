#pragma once
// The doctor's checks that start a browser.

#include "app/doctor/doctor.h"

namespace falconer::app {

// Found, started and asked for its version. The one that the settings ask for must work and stays
// open for the checks that follow; the other one is good to have.
Task<Finding> CheckShell(CallContext ctx, Visit* visit);
Task<Finding> CheckFull(CallContext ctx, Visit* visit);

// The browser that browser.attach_url names, if one is.
Task<Finding> CheckAttached(CallContext ctx, Visit* visit);

// A page can be opened, clicked and read.
Task<Finding> CheckPage(CallContext ctx, Visit* visit);

}  // namespace falconer::app
