#include "policy/redaction/payload_class.h"

#include <utility>

namespace falconer::policy {
namespace {

constexpr auto kAsIs = RedactionAction::kAllow;
constexpr auto kMasked = RedactionAction::kMask;
constexpr auto kHashed = RedactionAction::kHash;
constexpr auto kDropped = RedactionAction::kDrop;
constexpr auto kToken = RedactionAction::kTokenize;

using MatrixRow = RedactionAction[std::size(kPayloadClasses)];

// One row per surface, one column per class, both in the order of their enumerations. A model must
// be able to use the addresses a page shows; the ledger is evidence, but cannot forget; telemetry
// leaves the machine.
constexpr MatrixRow kStandardMatrix[] = {
    // credential payment pii  phi       contact  text_raw  screenshot derived metadata
    {kDropped, kDropped, kHashed, kDropped, kHashed, kDropped, kDropped, kHashed, kAsIs},
    {kMasked, kMasked, kMasked, kDropped, kMasked, kAsIs, kAsIs, kAsIs, kAsIs},
    {kMasked, kMasked, kToken, kToken, kToken, kAsIs, kAsIs, kAsIs, kAsIs},
    {kMasked, kMasked, kMasked, kDropped, kMasked, kDropped, kDropped, kAsIs, kAsIs},
    {kMasked, kMasked, kMasked, kToken, kAsIs, kAsIs, kAsIs, kAsIs, kAsIs},
    {kMasked, kMasked, kMasked, kMasked, kAsIs, kAsIs, kAsIs, kAsIs, kAsIs},
    {kMasked, kMasked, kMasked, kMasked, kMasked, kAsIs, kAsIs, kAsIs, kAsIs},
};

constexpr MatrixRow kStrictMatrix[] = {
    // credential payment pii  phi       contact  text_raw  screenshot derived metadata
    {kDropped, kDropped, kDropped, kDropped, kDropped, kDropped, kDropped, kDropped, kAsIs},
    {kDropped, kDropped, kHashed, kDropped, kHashed, kDropped, kDropped, kAsIs, kAsIs},
    {kDropped, kDropped, kToken, kDropped, kToken, kHashed, kDropped, kAsIs, kAsIs},
    {kDropped, kDropped, kHashed, kDropped, kHashed, kDropped, kDropped, kDropped, kAsIs},
    {kDropped, kMasked, kToken, kToken, kToken, kHashed, kHashed, kAsIs, kAsIs},
    {kDropped, kMasked, kMasked, kDropped, kMasked, kAsIs, kDropped, kAsIs, kAsIs},
    {kMasked, kMasked, kMasked, kDropped, kMasked, kAsIs, kDropped, kAsIs, kAsIs},
};

static_assert(std::size(kStandardMatrix) == std::size(kSurfaces));
static_assert(std::size(kStrictMatrix) == std::size(kSurfaces));

}  // namespace

RedactionAction ActionFor(Surface surface, PayloadClass payload, RedactionLevel level) {
  const auto& rows = level == RedactionLevel::kStrict ? kStrictMatrix : kStandardMatrix;
  return rows[std::to_underlying(surface)][std::to_underlying(payload)];
}

std::string RedactionMatrix(RedactionLevel level) {
  std::string out = "| class |";
  std::string rule = "|---|";
  for (const auto& surface : kSurfaces) {
    out += " " + std::string(surface.name) + " |";
    rule += "---|";
  }
  out += "\n" + rule + "\n";
  for (const auto& payload : kPayloadClasses) {
    out += "| " + std::string(payload.name) + " |";
    for (const auto& surface : kSurfaces) {
      const auto action = ActionFor(surface.value, payload.value, level);
      out += " " + std::string(NameIn(kRedactionActions, action)) + " |";
    }
    out += "\n";
  }
  return out;
}

}  // namespace falconer::policy
