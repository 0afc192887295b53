#pragma once
// Downloads: the files that pages of a session bring down. Each is counted while it streams into a
// hidden folder, hashed when complete, and only then moved among the session's artifacts, under a
// name of our own; what the page suggested as its name is never used as a path.

#include <deque>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "browser/session_options.h"
#include "cdp/session.h"

namespace falconer::browser {

enum class DownloadState { kRunning, kCompleted, kCanceled, kOverQuota, kFailed };

// "running", "completed", "canceled", "over_quota", "failed".
std::string_view DownloadStateName(DownloadState state);

// Why a download does not complete, and what it ends as.
struct DownloadFailure {
  DownloadState state = DownloadState::kFailed;
  Error why;
};

struct Download {
  // "dl_" + the browser's guid.
  std::string id;
  std::string guid;
  std::string url;
  std::string frame_id;
  // The page's suggestion, reduced to a harmless file name; for people.
  std::string name;
  // Where it is once it is completed.
  std::filesystem::path path;
  // Running until it is hashed and kept, or given up.
  DownloadState state = DownloadState::kRunning;
  std::uint64_t received = 0;
  std::uint64_t total = 0;  // 0 while unknown
  std::string sha256;       // hex, once completed
  // Set as soon as it is known, which may be while the browser still stops it.
  std::optional<DownloadFailure> failure;
  std::uint64_t seq = 0;
};

class Downloads {
 public:
  // Watches the browser's session for downloads of one context. `options` must outlive this.
  Downloads(const std::shared_ptr<cdp::Session>& root, std::string context_id,
            const SessionOptions& options);
  ~Downloads();
  Downloads(const Downloads&) = delete;
  Downloads& operator=(const Downloads&) = delete;

  // Creates the folder and tells the browser to use it, also instead of one that was used before;
  // or to refuse all downloads, when there is no artifacts folder or when they may have no bytes.
  Result<void> Start();
  // The session is over: what still runs fails with `reason`, and so does who waits for more.
  void End(const Error& reason);

  std::uint64_t last_seq() const { return last_seq_; }
  // Newest last. Bounded: the oldest that is over makes room, and when all are running the newest
  // is refused (kQueueFull).
  const std::deque<Download>& all() const { return all_; }
  std::vector<Download> Since(std::uint64_t seq) const;
  // Waits for a download newer than `seq` to begin, and returns all such; at least one. Fails with
  // the reason when the session ends first.
  Task<Result<std::vector<Download>>> Begun(CallContext ctx, std::uint64_t seq);
  // Waits until the download is over. kNotFound; kDownloadFailed when it broke off, was cancelled
  // or refused; kQuotaArtifactBytes; kQueueFull; kIoError when it could not be hashed or kept; the
  // reason when the session or the browser ended.
  Task<Result<Download>> Finished(CallContext ctx, std::string id);
  Task<Result<void>> Cancel(CallContext ctx, std::string id);

  // Only downloads of the session's own frames are heard of: the browser names frames, not
  // contexts.
  void SetFrameFilter(std::function<bool(const std::string& frame_id)> owns_frame);

  Notifier& changes() { return changes_; }
  Subscription OnChanged(std::function<void(const Download&)> handler) {
    return on_changed_.Subscribe(std::move(handler));
  }

 private:
  void RemoveIncoming();
  void OnBegin(const cdp::BrowserDownloadWillBegin& event);
  void OnProgress(const cdp::BrowserDownloadProgress& event);
  void StopOverQuota(Download& download);
  void Stop(const Download& download);
  void CallOff(const std::string& guid);
  // Hashes what arrived; `alive` expires with `self`.
  static Task<void> Hash(Downloads* self, std::weak_ptr<void> alive, CallContext ctx,
                         std::string guid);
  void OnHashed(Download& download, Result<std::string> sha256);
  Result<void> Keep(Download& download, Result<std::string> sha256);
  // Gives the download up, for its own reason if it has one already.
  void GiveUp(Download& download, DownloadFailure otherwise);
  void MakeRoom();
  // What is kept, and what the downloads that run will bring as far as is known.
  std::uint64_t ExpectedBytes() const;
  void Tell(const Download& download);
  Download* FindByGuid(std::string_view guid);
  const Download* Find(std::string_view id) const;

  std::shared_ptr<cdp::Session> root_;
  std::string context_id_;
  const SessionOptions& options_;
  // Half files are here, until the session ends at the latest.
  std::filesystem::path incoming_;
  // Set when the browser refuses all downloads.
  std::optional<DownloadFailure> refusal_;
  std::optional<Error> end_;
  std::function<bool(const std::string&)> owns_frame_;
  std::vector<Subscription> subscriptions_;
  std::deque<Download> all_;
  std::uint64_t last_seq_ = 0;
  std::uint64_t kept_bytes_ = 0;
  Notifier changes_;
  EventHub<const Download&> on_changed_;
  std::shared_ptr<void> alive_;
  TaskScope tasks_;
};

}  // namespace falconer::browser
