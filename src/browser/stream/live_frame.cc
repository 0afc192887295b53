#include "browser/stream/live_frame.h"

#include <chrono>

namespace falconer::browser {
namespace {

constexpr std::uint8_t kFrameVersion = 1;
constexpr std::uint8_t kJpegFrame = 1;

// In network order.
void PutNumber(std::string& out, std::uint64_t value, int bytes) {
  for (int i = bytes - 1; i >= 0; --i)
    out += static_cast<char>(static_cast<std::uint8_t>(value >> (8 * i)));
}

std::uint64_t MillisecondsOf(WallTime time) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch()).count());
}

}  // namespace

std::shared_ptr<const LiveFrame> MakeLiveFrame(const FramePicture& picture) {
  std::string bytes;
  bytes.reserve(kFrameHeaderBytes + picture.jpeg.size());
  PutNumber(bytes, kFrameVersion, 1);
  PutNumber(bytes, kJpegFrame, 1);
  PutNumber(bytes, kFrameHeaderBytes, 2);
  PutNumber(bytes, picture.seq, 8);
  PutNumber(bytes, MillisecondsOf(picture.taken), 8);
  PutNumber(bytes, static_cast<std::uint64_t>(picture.width), 2);
  PutNumber(bytes, static_cast<std::uint64_t>(picture.height), 2);
  bytes += picture.jpeg;
  return std::make_shared<const LiveFrame>(
      LiveFrame{.seq = picture.seq,
                .width = picture.width,
                .height = picture.height,
                .bytes = std::make_shared<const std::string>(std::move(bytes))});
}

}  // namespace falconer::browser
