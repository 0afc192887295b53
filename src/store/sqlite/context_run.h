#pragma once
// A run: rows of contexts in the order of their keys, each key once, as bytes of a blob. Of two
// runs with the same key the newer one is right.

#include <span>
#include <string>
#include <vector>

#include "base/error.h"
#include "store/prediction_store.h"

namespace falconer::store {

// Whether what it counts are counts: no number below zero, none that is none.
bool IsSound(const ContextRow& row);

// Puts them into order; of several with the same key the one that was counted last stays.
void MakeRun(std::vector<ContextRow>& rows);
std::vector<ContextRow> MergeRuns(std::span<const ContextRow> older,
                                  std::span<const ContextRow> newer);
// Leaves out what counts nothing: where no older run is left, nothing is hidden by it.
void DropForgotten(std::vector<ContextRow>& run);

std::vector<std::uint8_t> PackRun(std::span<const ContextRow> run);
// Appends to `rows`. kStoreDamaged.
Result<void> UnpackRun(std::span<const std::uint8_t> bytes, std::vector<ContextRow>& rows);

}  // namespace falconer::store
