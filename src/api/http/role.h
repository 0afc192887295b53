#pragma once
// Who may do what at the server. A key has one role; what a role may is in the table of routes.

#include <cstdint>

#include "base/json/json_reader.h"
#include "model/enum_set.h"

namespace falconer::api {

enum class Role : std::uint8_t { kAgent, kViewer, kApprover, kOperator };

inline constexpr EnumName<Role> kRoles[] = {
    {Role::kAgent, "agent"},
    {Role::kViewer, "viewer"},
    {Role::kApprover, "approver"},
    {Role::kOperator, "operator"},
};

using RoleSet = model::EnumSet<Role>;

inline constexpr RoleSet kEveryRole = {Role::kAgent, Role::kViewer, Role::kApprover,
                                       Role::kOperator};
// Agents hear of their sessions; the record is for those who answer for it.
inline constexpr RoleSet kAuditing = {Role::kViewer, Role::kApprover, Role::kOperator};

}  // namespace falconer::api
