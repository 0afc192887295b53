#include "bench/contestants.h"

#include "bench/falconer_contestant.h"
#include "bench/floor_contestant.h"
#include "bench/playwright_contestant.h"

namespace falconer::bench {
namespace {

template <typename T>
std::unique_ptr<Contestant> Make(TempRoot& temp) {
  return std::make_unique<T>(temp);
}

constexpr std::unique_ptr<Contestant> (*kMakers[])(TempRoot&) = {
    Make<FalconerContestant>,
    Make<FloorContestant>,
    Make<PlaywrightContestant>,
};

}  // namespace

std::vector<std::unique_ptr<Contestant>> MakeContestants(TempRoot& temp) {
  std::vector<std::unique_ptr<Contestant>> contestants;
  for (const auto make : kMakers) contestants.push_back(make(temp));
  return contestants;
}

Outcome<std::unique_ptr<Contestant>> MakeContestant(const std::string& name, TempRoot& temp) {
  std::string names;
  for (auto& each : MakeContestants(temp)) {
    if (each->name() == name) return std::move(each);
    names += " " + std::string(each->name());
  }
  return Fail("no contestant " + name + "; there are:" + names);
}

}  // namespace falconer::bench
