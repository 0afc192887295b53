#pragma once
// What viewers of a session are told beside its frames.

#include <cstdint>
#include <string>

#include "base/ids.h"
#include "base/json/json_reader.h"

namespace falconer::browser {

enum class StreamState : std::uint8_t {
  kStarting,  // somebody watches; no frame has come yet
  kLive,
  kHidden,  // the page cannot be shown now; the reason says why
  kNoPage,  // there is no tab, or it crashed
  kLost,    // the browser is gone; frames go on when the session has another one
  kEnded,   // no more will come
};

inline constexpr EnumName<StreamState> kStreamStates[] = {
    {StreamState::kStarting, "starting"}, {StreamState::kLive, "live"},
    {StreamState::kHidden, "hidden"},     {StreamState::kNoPage, "no_page"},
    {StreamState::kLost, "lost"},         {StreamState::kEnded, "ended"},
};

struct StreamStatus {
  StreamState state = StreamState::kStarting;
  // Why it is not live: the name of an error; "" when it is.
  std::string reason;
  // The tab that is shown; empty when none is.
  TabId tab;
  // Its window in CSS pixels, which the picture shows scaled: where a click goes.
  int view_width = 0;
  int view_height = 0;

  bool operator==(const StreamStatus&) const = default;
};

}  // namespace falconer::browser
