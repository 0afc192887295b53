#pragma once
// How a request or tunnel of a browser ended on its way out: the proxy says so, and evidence
// repeats it.

#include <cstdint>

#include "base/json/json_reader.h"

namespace falconer {

enum class EgressOutcome : std::uint8_t {
  kOpen,       // still going on
  kDone,       // answered, or a tunnel that both sides closed
  kRefused,    // by a rule or a limit; nothing reached the host
  kFailed,     // the host could not be reached, or broke off
  kCut,        // a limit ended it on the way
  kCancelled,  // the browser or the proxy went away first
};

inline constexpr EnumName<EgressOutcome> kEgressOutcomes[] = {
    {EgressOutcome::kOpen, "open"},       {EgressOutcome::kDone, "done"},
    {EgressOutcome::kRefused, "refused"}, {EgressOutcome::kFailed, "failed"},
    {EgressOutcome::kCut, "cut"},         {EgressOutcome::kCancelled, "cancelled"},
};

}  // namespace falconer
