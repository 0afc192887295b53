#pragma once
// TextVisibility: what was observed of how a text of a page is shown. Plain facts; what they mean
// is decided by whoever needs to know (policy/injection).

#include <optional>

namespace falconer::model {

struct TextVisibility {
  std::optional<double> font_px;         // as rendered, after transforms
  std::optional<double> opacity;         // of the element and everything around it, multiplied
  std::optional<double> contrast_ratio;  // WCAG, against what is behind it: 1 to 21
  bool is_displayed = true;              // not display:none, visibility:hidden or content skipped
  bool is_clipped_away = false;          // nothing is left of it by overflow, clip or clip-path
  bool is_off_screen = false;            // where no scrolling leads to
  bool is_covered = false;               // something opaque lies over all of it
  bool is_aria_hidden = false;           // shown, but hidden from assistive technology
  bool is_empty_box = false;             // has no width or no height
  bool is_attribute = false;             // alt, title, placeholder, meta: text that is not shown
  bool operator==(const TextVisibility&) const = default;
};

}  // namespace falconer::model
