#include "browser/context/downloads.h"

#include <algorithm>
#include <utility>

#include "base/async/file_hash.h"
#include "base/log.h"
#include "browser/context/download_folder.h"
#include "browser/context/file_name.h"
#include "browser/network/request_gate.h"
#include "cdp/connection.h"

namespace falconer::browser {
namespace {

constexpr std::size_t kMostDownloads = 64;

DownloadFailure Failed(ErrorCode code, std::string why) {
  return {.state = DownloadState::kFailed, .why = Error(code, std::move(why))};
}

DownloadFailure OverQuota(std::string why) {
  return {.state = DownloadState::kOverQuota,
          .why = Error(ErrorCode::kQuotaArtifactBytes, std::move(why))};
}

std::optional<DownloadFailure> RefusalOf(const SessionOptions& options) {
  if (options.max_download_bytes == 0)
    return OverQuota("downloads are refused (downloads.max_bytes is 0)");
  if (options.artifacts.empty())
    return Failed(ErrorCode::kDownloadFailed,
                  "the session has no artifacts folder (artifacts.dir)");
  return std::nullopt;
}

// A file is known as one only when it has begun to come: the request for it was let through.
std::optional<DownloadFailure> ForbiddenBy(const SessionOptions& options,
                                           const cdp::BrowserDownloadWillBegin& event) {
  if (!options.request_rule) return std::nullopt;
  const RequestFacts facts{
      .use = RequestUse::kDownload, .url = event.url, .frame_id = event.frame_id};
  const auto verdict = options.request_rule->Decide(facts);
  if (verdict.is_allowed()) return std::nullopt;
  return DownloadFailure{.state = DownloadState::kFailed, .why = RefusalError(facts, verdict)};
}

// The browser counts in doubles.
std::uint64_t Bytes(double count) {
  return count > 0 ? static_cast<std::uint64_t>(count) : 0;
}

bool IsRunning(const Download& download) {
  return download.state == DownloadState::kRunning;
}

}  // namespace

std::string_view DownloadStateName(DownloadState state) {
  constexpr std::string_view kNames[] = {"running", "completed", "canceled", "over_quota",
                                         "failed"};
  return kNames[std::to_underlying(state)];
}

Downloads::Downloads(const std::shared_ptr<cdp::Session>& root, std::string context_id,
                     const SessionOptions& options)
    : root_(root),
      context_id_(std::move(context_id)),
      options_(options),
      alive_(std::make_shared<char>()),
      tasks_(root->connection().executor()) {
  subscriptions_.push_back(
      root_->On<cdp::BrowserDownloadWillBegin>([this](const auto& e) { OnBegin(e); }));
  subscriptions_.push_back(
      root_->On<cdp::BrowserDownloadProgress>([this](const auto& e) { OnProgress(e); }));
}

Downloads::~Downloads() {
  RemoveIncoming();
}

void Downloads::RemoveIncoming() {
  std::error_code ignored;
  if (!incoming_.empty()) std::filesystem::remove_all(incoming_, ignored);
  incoming_.clear();
}

void Downloads::SetFrameFilter(std::function<bool(const std::string&)> owns_frame) {
  owns_frame_ = std::move(owns_frame);
}

Result<void> Downloads::Start() {
  cdp::BrowserSetDownloadBehavior behavior{
      .behavior = "deny", .browser_context_id = context_id_, .events_enabled = true};
  refusal_ = RefusalOf(options_);
  RemoveIncoming();
  if (!refusal_) {
    std::error_code failed;
    incoming_ = std::filesystem::absolute(options_.artifacts, failed) /
                (std::string(kIncomingPrefix) + context_id_);
    std::filesystem::create_directories(incoming_, failed);
    if (failed)
      return Fail(ErrorCode::kIoError,
                  "cannot create " + incoming_.string() + ": " + failed.message());
    behavior.behavior = "allowAndName";
    behavior.download_path = incoming_.string();
  }
  root_->Post(behavior);
  return {};
}

void Downloads::End(const Error& reason) {
  if (end_) return;
  end_ = reason;
  for (Download& download : all_) {
    if (!IsRunning(download)) continue;
    GiveUp(download, {.state = DownloadState::kFailed, .why = reason});
    on_changed_.Emit(download);
  }
  changes_.NotifyAll();
}

std::vector<Download> Downloads::Since(std::uint64_t seq) const {
  std::vector<Download> newer;
  std::ranges::copy_if(all_, std::back_inserter(newer),
                       [seq](const Download& d) { return d.seq > seq; });
  return newer;
}

void Downloads::OnBegin(const cdp::BrowserDownloadWillBegin& event) {
  if (end_) return;
  // The frame is another session's, or was one of ours that has gone: of that nobody would ever
  // hear. The browser looks among ours only, so what is another session's goes on.
  if (owns_frame_ && !owns_frame_(event.frame_id)) return CallOff(event.guid);
  MakeRoom();
  all_.push_back({.id = "dl_" + event.guid,
                  .guid = event.guid,
                  .url = event.url,
                  .frame_id = event.frame_id,
                  .name = SafeFileName(event.suggested_filename),
                  .path = options_.artifacts / event.guid,
                  .failure = refusal_ ? refusal_ : ForbiddenBy(options_, event),
                  .seq = ++last_seq_});
  if (all_.back().failure && !refusal_) Stop(all_.back());
  if (all_.size() > kMostDownloads) {
    Stop(all_.back());
    GiveUp(all_.back(), Failed(ErrorCode::kQueueFull, "too many downloads run at once"));
  }
  Tell(all_.back());
}

// What runs is never forgotten: somebody waits for it, and its bytes count.
void Downloads::MakeRoom() {
  if (all_.size() < kMostDownloads) return;
  const auto over = std::ranges::find_if_not(all_, IsRunning);
  if (over != all_.end()) all_.erase(over);
}

void Downloads::OnProgress(const cdp::BrowserDownloadProgress& event) {
  Download* download = FindByGuid(event.guid);
  if (download == nullptr || !IsRunning(*download)) return;
  download->received = Bytes(event.received_bytes);
  download->total = Bytes(event.total_bytes);
  if (!download->failure && ExpectedBytes() > options_.max_download_bytes) StopOverQuota(*download);
  if (event.state == "completed" && !download->failure) {
    const cdp::Connection& connection = root_->connection();
    tasks_.Spawn(
        "download.hash",
        Hash(this, alive_, CallContext(connection.executor(), connection.clock()), download->guid));
    return;
  }
  if (event.state != "inProgress")
    GiveUp(*download, Failed(ErrorCode::kDownloadFailed, "the transfer broke off"));
  Tell(*download);
}

// Stopped while it streams: the disk never holds much more than is allowed.
void Downloads::StopOverQuota(Download& download) {
  download.failure =
      OverQuota("stopped: the session's downloads may have " +
                std::to_string(options_.max_download_bytes) + " bytes (downloads.max_bytes)");
  Stop(download);
}

void Downloads::Stop(const Download& download) {
  CallOff(download.guid);
}

void Downloads::CallOff(const std::string& guid) {
  root_->Post(cdp::BrowserCancelDownload{.guid = guid, .browser_context_id = context_id_});
}

std::uint64_t Downloads::ExpectedBytes() const {
  std::uint64_t bytes = kept_bytes_;
  for (const Download& download : all_) {
    if (IsRunning(download) && !download.failure)
      bytes += std::max(download.received, download.total);
  }
  return bytes;
}

// Half a file is no file. The browser may still be writing it under another name: what it leaves
// goes with the folder.
void Downloads::GiveUp(Download& download, DownloadFailure otherwise) {
  if (!download.failure) download.failure = std::move(otherwise);
  download.state = download.failure->state;
  std::error_code ignored;
  if (!incoming_.empty()) std::filesystem::remove(incoming_ / download.guid, ignored);
}

Task<void> Downloads::Hash(Downloads* self, std::weak_ptr<void> alive, CallContext ctx,
                           std::string guid) {
  auto sha256 = co_await HashFile(std::move(ctx), self->incoming_ / guid);
  if (alive.expired()) co_return;
  Download* download = self->FindByGuid(guid);
  if (download != nullptr && IsRunning(*download)) self->OnHashed(*download, std::move(sha256));
}

void Downloads::OnHashed(Download& download, Result<std::string> sha256) {
  // It may have been cancelled meanwhile.
  if (download.failure) {
    GiveUp(download, *download.failure);
  } else if (const auto kept = Keep(download, std::move(sha256)); !kept) {
    LOG(error, "download.not_kept", {"download", download.id}, {"why", kept.error().message()});
    GiveUp(download, Failed(ErrorCode::kIoError, kept.error().message()));
  }
  Tell(download);
}

Result<void> Downloads::Keep(Download& download, Result<std::string> sha256) {
  TRY_ASSIGN(download.sha256, std::move(sha256));
  std::error_code failed;
  std::filesystem::rename(incoming_ / download.guid, download.path, failed);
  if (failed) {
    download.sha256.clear();
    return Fail(ErrorCode::kIoError,
                "cannot move it to " + download.path.string() + ": " + failed.message());
  }
  download.state = DownloadState::kCompleted;
  kept_bytes_ += download.received;
  return {};
}

void Downloads::Tell(const Download& download) {
  on_changed_.Emit(download);
  changes_.NotifyAll();
}

Download* Downloads::FindByGuid(std::string_view guid) {
  const auto found = std::ranges::find(all_, guid, &Download::guid);
  return found == all_.end() ? nullptr : &*found;
}

const Download* Downloads::Find(std::string_view id) const {
  const auto found = std::ranges::find(all_, id, &Download::id);
  return found == all_.end() ? nullptr : &*found;
}

Task<Result<std::vector<Download>>> Downloads::Begun(CallContext ctx, std::uint64_t seq) {
  CO_TRY(co_await changes_.Until(
      std::move(ctx), [&] { return last_seq_ > seq || end_; }, "the download to begin"));
  if (last_seq_ <= seq) co_return std::unexpected(*end_);
  auto begun = Since(seq);
  if (begun.empty()) co_return Fail(ErrorCode::kNotFound, "the download was forgotten");
  co_return begun;
}

Task<Result<Download>> Downloads::Finished(CallContext ctx, std::string id) {
  if (Find(id) == nullptr) co_return Fail(ErrorCode::kNotFound, "no download " + id);
  CO_TRY(co_await changes_.Until(
      std::move(ctx),
      [&] {
        const Download* download = Find(id);
        return download == nullptr || !IsRunning(*download);
      },
      "the download to finish"));
  const Download* download = Find(id);
  if (download == nullptr)
    co_return Fail(ErrorCode::kNotFound, "download " + id + " was forgotten");
  if (!download->failure) co_return *download;
  co_return std::unexpected(Error(download->failure->why).In("download of " + download->name));
}

Task<Result<void>> Downloads::Cancel(CallContext ctx, std::string id) {
  const auto found = std::ranges::find(all_, id, &Download::id);
  if (found == all_.end()) co_return Fail(ErrorCode::kNotFound, "no download " + id);
  if (IsRunning(*found) && !found->failure) {
    found->failure = {.state = DownloadState::kCanceled,
                      .why = Error(ErrorCode::kDownloadFailed, "it was cancelled")};
  }
  CO_TRY(co_await root_->Send(
      std::move(ctx),
      cdp::BrowserCancelDownload{.guid = found->guid, .browser_context_id = context_id_}));
  co_return Result<void>();
}

}  // namespace falconer::browser
