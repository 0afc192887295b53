#pragma once
// How streams are made; for all sessions of a program.

#include <chrono>
#include <cstddef>

#include "base/async/clock.h"

namespace falconer::browser {

struct StreamOptions {
  bool is_enabled = false;
  // At best: JPEG quality, width of the picture, frames in a second.
  int quality = 25;
  int max_width = 854;
  int max_fps = 10;
  // Most who may watch at once, over all sessions.
  std::size_t max_viewers = 200;
  // Frames that wait for one viewer.
  std::size_t queue = 5;
  // How long viewers wait for a session whose browser was lost.
  Duration lost_time = std::chrono::minutes(5);
};

}  // namespace falconer::browser
