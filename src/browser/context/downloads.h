#pragma once
// Downloads: the files that pages of a session bring down. Each is counted while it streams into a
// hidden folder, hashed when complete, and only then moved among the session's artifacts, under a
// name of our own; what the page suggested as its name is never used as a path.

#include <deque>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/async/notifier.h"
#include "browser/session_options.h"
#include "cdp/session.h"

namespace falconer::browser {

enum class DownloadState { kRunning, kCompleted, kCanceled, kOverQuota };

// "running", "completed", "canceled", "over_quota".
std::string_view DownloadStateName(DownloadState state);

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
  DownloadState state = DownloadState::kRunning;
  std::uint64_t received = 0;
  std::uint64_t total = 0;  // 0 while unknown
  std::string sha256;       // hex, once completed
  // It is being stopped because it would be too large.
  bool exceeds_quota = false;
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

  // Creates the folders and tells the browser to use it.
  Result<void> Start();

  std::uint64_t last_seq() const { return last_seq_; }
  // Newest last; bounded.
  const std::deque<Download>& all() const { return all_; }
  std::vector<Download> Since(std::uint64_t seq) const;
  // Waits until the download is no longer running and hashed. kNotFound, kDownloadFailed,
  // kQuotaArtifactBytes.
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
  void OnBegin(const cdp::BrowserDownloadWillBegin& event);
  void OnProgress(const cdp::BrowserDownloadProgress& event);
  Result<void> Keep(Download& download);
  void Discard(Download& download);
  Download* FindByGuid(std::string_view guid);

  std::shared_ptr<cdp::Session> root_;
  std::string context_id_;
  const SessionOptions& options_;
  // Half files are here, until the session ends at the latest.
  std::filesystem::path incoming_;
  std::function<bool(const std::string&)> owns_frame_;
  std::vector<Subscription> subscriptions_;
  std::deque<Download> all_;
  std::uint64_t last_seq_ = 0;
  std::uint64_t kept_bytes_ = 0;
  Notifier changes_;
  EventHub<const Download&> on_changed_;
};

// A file name that is safe everywhere: no folders, no control characters, no reserved names, at
// most 120 bytes, never empty.
std::string SafeFileName(std::string_view suggested);

}  // namespace falconer::browser
