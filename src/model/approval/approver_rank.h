#pragma once
// ApproverRank: what somebody must be to approve something.

#include <cstdint>

#include "base/json/json_reader.h"

namespace falconer::model {

// Later ones can do what earlier ones can. Policies say "human", decisions "user".
enum class ApproverRank : std::uint8_t { kHuman, kManager, kAdmin };

inline constexpr EnumName<ApproverRank> kApproverRanks[] = {
    {ApproverRank::kHuman, "human"},
    {ApproverRank::kManager, "manager"},
    {ApproverRank::kAdmin, "admin"},
};
inline constexpr EnumName<ApproverRank> kDecidedBy[] = {
    {ApproverRank::kHuman, "user"},
    {ApproverRank::kManager, "manager"},
    {ApproverRank::kAdmin, "admin"},
};

}  // namespace falconer::model
