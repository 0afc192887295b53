#pragma once
// LoadState: how far a navigation has come, in order.

#include <cstdint>

#include "base/json/json_reader.h"

namespace falconer::model {

enum class LoadState : std::uint8_t { kCommit, kDomContentLoaded, kLoad, kNetworkIdle };

inline constexpr EnumName<LoadState> kLoadStates[] = {
    {LoadState::kCommit, "commit"},
    {LoadState::kDomContentLoaded, "domcontentloaded"},
    {LoadState::kLoad, "load"},
    {LoadState::kNetworkIdle, "networkidle"},
};

}  // namespace falconer::model
