#pragma once
// DriveKit: what it takes to act in one browser session and to read what came of it.

#include <cstdint>
#include <memory>

#include "browser/driver.h"
#include "browser/state/delta_state_tracker.h"
#include "browser/state/structured_state_extractor.h"
#include "browser/waits/wait_manager.h"

namespace falconer::engine {

struct DriveLimits {
  browser::Driver::Limits driver;
  browser::StateLimits state;
  browser::DeltaStateTracker::Options delta;
};

// When the state of a page is read before and after an action.
enum class StateLooks : std::uint8_t {
  kAlways,
  kForRules,  // only for contracts with conditions or rules of their own
};

struct DriveKit {
  DriveKit(std::shared_ptr<browser::Session> for_session, const DriveLimits& limits)
      : session(std::move(for_session)),
        driver(*session, limits.driver),
        waits(*session, driver.navigator()),
        extractor(*session),
        tracker(limits.delta),
        state_limits(limits.state) {}

  std::shared_ptr<browser::Session> session;
  browser::Driver driver;
  browser::WaitManager waits;
  browser::StructuredStateExtractor extractor;
  browser::DeltaStateTracker tracker;
  browser::StateLimits state_limits;
  StateLooks looks = StateLooks::kAlways;
};

}  // namespace falconer::engine
