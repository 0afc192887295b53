#pragma once
// ReadyWorlds: the world that the browser makes by itself in every frame of a tab, as it is known
// to the frame's process. Its numbers are that process's own: another one uses them again.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cdp/session.h"

namespace falconer::browser {

class ReadyWorlds {
 public:
  struct World {
    std::shared_ptr<cdp::Session> session;
    std::int64_t number = 0;
    std::string unique_context_id;
    std::string frame_id;
  };

  // A frame has one; the next takes its place.
  void Note(const std::shared_ptr<cdp::Session>& session, const cdp::ContextDescription& context,
            const std::string& frame_id);
  // All of this session are gone.
  void Clear(const cdp::Session& session);
  void Forget(std::string_view frame_id);

  // "" when nobody has it.
  std::string_view FrameOf(const cdp::Session& session, std::int64_t number) const;
  const std::vector<World>& all() const { return worlds_; }

 private:
  std::vector<World> worlds_;
};

}  // namespace falconer::browser
