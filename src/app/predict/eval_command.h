#pragma once
// `falconer predict eval FILE`: how well the predictor foretells sequences that it has not seen,
// beside first and second order counts. Nothing is started and nothing is kept.

#include "app/command.h"

namespace falconer::app {

int RunPredictEval(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kPredictEvalOptions[] = {
    {"FILE", "FILE", "Sequences, one in each line: numbers or words with blanks between them.",
     &Arguments::file},
    {"--seed", "NUMBER", "Decides which sequences are held out; 1 when not given.",
     &Arguments::seed},
    {"--folds", "NUMBER",
     "Deals the sequences out to so many parts, and holds out each of them once; when not given, "
     "one part of five is held out.",
     &Arguments::folds},
};

}  // namespace falconer::app
