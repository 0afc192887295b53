#pragma once
// LiveFrame: one picture of a session, in the form viewers get it. It is made once and shared by
// all of them.
//
// A frame is a header of 24 bytes, numbers in network order, and a JPEG:
//   0  u8   version, 1
//   1  u8   type, 1: a JPEG of the active tab
//   2  u16  how long the header is, 24
//   4  u64  number of the frame; rises
//  12  u64  when it came from the browser, in milliseconds since 1970
//  20  u16  width of the picture
//  22  u16  height of the picture

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/async/clock.h"

namespace falconer::browser {

inline constexpr std::size_t kFrameHeaderBytes = 24;

struct LiveFrame {
  std::uint64_t seq = 0;
  int width = 0;
  int height = 0;
  // Header and JPEG. Shared with whoever is still sending it.
  std::shared_ptr<const std::string> bytes;

  std::string_view jpeg() const { return std::string_view(*bytes).substr(kFrameHeaderBytes); }
};

// What a frame is made of.
struct FramePicture {
  std::uint64_t seq = 0;
  WallTime taken;
  int width = 0;
  int height = 0;
  std::string_view jpeg;
};

std::shared_ptr<const LiveFrame> MakeLiveFrame(const FramePicture& picture);

}  // namespace falconer::browser
