#pragma once
// Where a command begins that works in a session of its own.

#include "app/predict/predict_errand.h"

namespace falconer::app {

// Opens the address in the session, as a contract. Nothing to do for an empty one. Fails with what
// the contract failed with.
Task<Result<void>> OpenStartPage(PredictWork* work, std::string session, std::string url);

}  // namespace falconer::app
