#pragma once
// The policies of docs/policies, as they are there.

#include <string_view>

namespace falconer::app {

std::string_view PurchaseLimitPolicy();
std::string_view MailReadOnlyPolicy();
std::string_view DomainAllowlistPolicy();
std::string_view WorkingHoursPolicy();

}  // namespace falconer::app
