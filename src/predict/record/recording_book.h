#pragma once
// RecordingBook: recordings that are under way. What people do in a session's pages comes from the
// page recorder, what agents do from their turns; what was typed is kept here, in memory, until the
// recording is a workflow. On one event loop.

#include <map>
#include <string>
#include <vector>

#include "engine/page_recorder.h"
#include "engine/turn_watch.h"
#include "predict/predict_desk.h"
#include "predict/workflows/recorded_step.h"

namespace falconer::predict {

class RecordingBook {
 public:
  explicit RecordingBook(const Clock& clock) : clock_(clock) {}

  // Fails as RecordPages; kAlreadyExists while the session is recorded, kQueueFull when too many
  // are. The runtime must outlive the book.
  Task<Result<OpenRecording>> Begin(CallContext ctx, engine::Runtime* runtime, TenantId tenant,
                                    RecordWish wish);
  // Has the pages tell what was typed last, and notes where the session is. kNotFound; fails like
  // ctx.
  Task<Result<void>> Flush(CallContext ctx, engine::Runtime* runtime, TenantId tenant,
                           std::string id);
  // Ends it, and answers what was done. It stays, for nobody to see, until it is dropped or given
  // back. kNotFound.
  Result<Recording> Take(const TenantId& tenant, const std::string& id);
  // What was taken could not be kept: it can be taken again.
  void GiveBack(const std::string& id);
  void Drop(const std::string& id) { open_.erase(id); }
  std::vector<OpenRecording> List(const TenantId& tenant) const;

  bool IsRecorded(const browser::SessionKey& key) const { return Find(key) != nullptr; }
  void OnTurn(const engine::WatchedTurn& turn);
  // Nothing more comes; what was recorded can still be taken.
  void OnSessionClosed(const browser::SessionKey& key);

 private:
  struct Open {
    browser::SessionKey key;
    Recording recording;
    Subscription pages;
    std::string url;  // where the session is at the end
    // Nothing more comes, but it can still be taken.
    bool is_over = false;
    bool is_taken = false;
    // The field into which a turn typed a secret by its name; its page will tell of it, too.
    std::string secret_field;
  };

  Result<Open*> FindOpen(const TenantId& tenant, const std::string& id);
  Open* Find(const browser::SessionKey& key);
  const Open* Find(const browser::SessionKey& key) const;
  // Whether the turn said more of it than its page can.
  static bool IsTold(Open& open, const engine::RecordedInput& input);
  void OnPage(const browser::SessionKey& key, engine::RecordedInput input);
  void Add(Open& open, RecordedStep step);
  // Forgets the oldest of those that are over, when there are too many. False when none is.
  bool MakeRoom();
  static OpenRecording TellOf(const Open& open);

  const Clock& clock_;
  std::map<std::string, Open> open_;
};

// A turn as a step. What a person did in a page he drives is told by the page, more exactly.
RecordedStep StepOf(const engine::WatchedTurn& turn);

}  // namespace falconer::predict
