#pragma once
// What the settings say about learning and acting by prediction.

#include "base/settings/settings.h"
#include "predict/predict_desk.h"

namespace falconer::app {

predict::PredictRules PredictRulesFrom(const Settings& settings);

}  // namespace falconer::app
