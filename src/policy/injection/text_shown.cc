#include "policy/injection/text_shown.h"

namespace falconer::policy {
namespace {

constexpr double kSmallestFont = 3.0;  // pixels
constexpr double kLeastOpacity = 0.1;
constexpr double kLeastContrast = 1.2;

}  // namespace

std::string_view WhyNotSeen(const model::TextVisibility& facts) {
  if (facts.is_attribute) return "attribute";
  if (!facts.is_displayed) return "not_displayed";
  if (facts.is_empty_box) return "empty_box";
  if (facts.font_px && *facts.font_px < kSmallestFont) return "tiny";
  if (facts.opacity && *facts.opacity < kLeastOpacity) return "transparent";
  if (facts.contrast_ratio && *facts.contrast_ratio < kLeastContrast) return "no_contrast";
  if (facts.is_clipped_away) return "clipped";
  if (facts.is_off_screen) return "off_screen";
  return facts.is_covered ? "covered" : "";
}

}  // namespace falconer::policy
