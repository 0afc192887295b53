#pragma once
// NetworkBodies: reads response bodies while the browser still has them. It keeps those that
// somebody asked for in advance, and judges JSON answers: their shape, and whether they say failure
// under a status of success. Bounded in number, bytes and reads at a time.

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async/bounded_queue.h"
#include "base/async/subscription.h"
#include "base/async/task_scope.h"
#include "browser/network/network_requests.h"
#include "model/network.h"
#include "model/pattern.h"

namespace falconer::browser {

struct Body {
  std::string bytes;
  // There was more than the limit allows; `bytes` is the beginning.
  bool is_truncated = false;
};

// Which responses to keep. What is absent or empty matches everything.
struct BodyRule {
  std::optional<model::Pattern> url;
  // Resource types: "XHR", "Fetch", "Document", ...
  std::vector<std::string> types;

  bool Matches(const NetworkRequest& request) const;
};

struct NetworkBodyLimits {
  std::size_t max_body_bytes = 1024 * 1024;
  // Of all bodies that are kept.
  std::size_t max_kept_bytes = 8 * 1024 * 1024;
  std::size_t max_kept = 64;
  // A longer answer is not judged.
  std::size_t max_judged_bytes = 256 * 1024;
  std::size_t max_reads = 8;
  // Answers that wait for a read; more than these go unread.
  std::size_t max_waiting = 64;
  bool judge_json = true;
};

class NetworkBodies {
 public:
  // The body of the answer with this number has been read, or cannot be (now); what it shows, if it
  // was judged.
  using OnRead = std::function<void(std::uint64_t response_seq,
                                    const std::optional<model::BodyJudgement>& judgement)>;

  NetworkBodies(Clock& clock, NetworkBodyLimits limits, OnRead on_read);
  ~NetworkBodies();
  NetworkBodies(const NetworkBodies&) = delete;
  NetworkBodies& operator=(const NetworkBodies&) = delete;

  // While the subscription lives, matching responses are read as soon as they are complete. With
  // the last rule the kept bodies go.
  Subscription Want(BodyRule rule);
  // Will this answer be read once it is complete?
  bool IsWanted(const NetworkRequest& request) const;
  // The body of `request` is complete: reads it if somebody wants it.
  void OnComplete(const NetworkRequest& request, std::size_t encoded_bytes);

  // The page shows a dialog and cannot answer: its bodies are read when it is gone.
  void Hold(const cdp::Session& session);
  void Resume(const cdp::Session& session);
  // The bodies that the session's process had are lost.
  void OnSessionGone(const cdp::Session& session);

  // A body that was kept, or null.
  const Body* FindKept(std::string_view request_id) const;
  // True while the body of an answer after `seq` is to be read. Bodies behind a dialog do not
  // count.
  bool IsReadingAfter(std::uint64_t seq) const;
  // Bodies that were wanted and could not be kept or read for lack of room.
  std::uint64_t dropped() const { return dropped_; }

  // Reads one body from the browser. kNotFound when the browser no longer has it.
  static Task<Result<Body>> Fetch(CallContext ctx, std::shared_ptr<cdp::Session> session,
                                  std::string request_id, std::size_t max_bytes);

 private:
  struct Job {
    std::string request_id;
    std::shared_ptr<cdp::Session> session;
    std::uint64_t response_seq = 0;
    bool keep = false;
    bool judge = false;
  };
  struct Kept {
    std::string request_id;
    Body body;
  };

  bool IsKeeping(const NetworkRequest& request) const;
  bool IsJudged(const NetworkRequest& request) const;
  void Enqueue(Job job);
  // Sorts the jobs of `queue` anew into those that can be read now and those that cannot.
  void EnqueueAgain(BoundedQueue<Job>& queue);
  void StartReads();
  // Reads job after job until none is left. `alive` expires with the object.
  static Task<void> ReadJobs(NetworkBodies* self, std::weak_ptr<void> alive, CallContext ctx);
  void OnJobRead(const Job& job, Result<Body> body);
  void Keep(const std::string& request_id, Body body);
  void ForgetRule(std::uint64_t id);

  Clock& clock_;
  NetworkBodyLimits limits_;
  OnRead on_read_;
  std::uint64_t last_rule_ = 0;
  std::map<std::uint64_t, BodyRule> rules_;
  BoundedQueue<Job> waiting_;
  // Answers being read now, by number.
  std::vector<std::uint64_t> reading_;
  // Sessions whose page shows a dialog, and what waits for it to go.
  std::vector<const cdp::Session*> held_;
  BoundedQueue<Job> postponed_;
  std::deque<Kept> kept_;
  std::size_t kept_bytes_ = 0;
  std::uint64_t dropped_ = 0;
  std::size_t reads_ = 0;
  std::shared_ptr<void> alive_;
  // Made with the first read: only a session knows the event loop.
  std::optional<TaskScope> scope_;
};

}  // namespace falconer::browser
