#pragma once
// The table of who takes part. The first row is the subject: the rows of the report are about it.

#include <memory>
#include <string>
#include <vector>

#include "bench/contestant.h"
#include "bench/temp_root.h"

namespace falconer::bench {

std::vector<std::unique_ptr<Contestant>> MakeContestants(TempRoot& temp);

// Fails for a name that is not in the table, listing those that are.
Outcome<std::unique_ptr<Contestant>> MakeContestant(const std::string& name, TempRoot& temp);

}  // namespace falconer::bench
