#include "browser/frames/ready_worlds.h"

#include <algorithm>

namespace falconer::browser {

void ReadyWorlds::Note(const std::shared_ptr<cdp::Session>& session,
                       const cdp::ContextDescription& context, const std::string& frame_id) {
  Forget(frame_id);
  worlds_.push_back({.session = session,
                     .number = context.id,
                     .unique_context_id = context.unique_id,
                     .frame_id = frame_id});
}

void ReadyWorlds::Clear(const cdp::Session& session) {
  std::erase_if(worlds_,
                [&session](const World& world) { return world.session.get() == &session; });
}

void ReadyWorlds::Forget(std::string_view frame_id) {
  std::erase_if(worlds_, [frame_id](const World& world) { return world.frame_id == frame_id; });
}

std::string_view ReadyWorlds::FrameOf(const cdp::Session& session, std::int64_t number) const {
  const auto found = std::ranges::find_if(worlds_, [&](const World& world) {
    return world.session.get() == &session && world.number == number;
  });
  return found == worlds_.end() ? std::string_view() : std::string_view(found->frame_id);
}

}  // namespace falconer::browser
