#include "browser/context/downloads.h"

#include <algorithm>
#include <fstream>
#include <utility>

#include "base/hex.h"
#include "base/log.h"
#include "base/sha256.h"
#include "cdp/connection.h"

namespace falconer::browser {
namespace {

constexpr std::size_t kMostKept = 64;
constexpr std::size_t kLongestName = 120;
constexpr std::size_t kHashChunk = 64 * 1024;
constexpr std::string_view kForbidden = "<>:\"/\\|?*";
constexpr std::string_view kReserved[] = {"CON", "PRN", "AUX", "NUL"};

bool IsHarmless(char c) {
  return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f && !kForbidden.contains(c);
}

bool IsReserved(std::string_view name) {
  const std::string_view stem = name.substr(0, name.find('.'));
  return std::ranges::any_of(kReserved, [&](std::string_view reserved) {
    return std::ranges::equal(stem, reserved, {},
                              [](char c) { return std::toupper(static_cast<unsigned char>(c)); });
  });
}

// Cuts at a character, keeping a short ending such as ".pdf".
std::string Shorten(std::string name) {
  if (name.size() <= kLongestName) return name;
  const auto dot = name.rfind('.');
  const std::string ending =
      dot != std::string::npos && name.size() - dot <= 12 ? name.substr(dot) : "";
  std::size_t end = kLongestName - ending.size();
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0U) == 0x80U) --end;
  return name.substr(0, end) + ending;
}

std::string HashFile(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string chunk(kHashChunk, '\0');
  Sha256 hash;
  while (in.read(chunk.data(), kHashChunk) || in.gcount() > 0) {
    hash.Add(std::string_view(chunk).substr(0, static_cast<std::size_t>(in.gcount())));
  }
  return ToHex(hash.Finish());
}

}  // namespace

std::string_view DownloadStateName(DownloadState state) {
  constexpr std::string_view kNames[] = {"running", "completed", "canceled", "over_quota"};
  return kNames[std::to_underlying(state)];
}

std::string SafeFileName(std::string_view suggested) {
  if (const auto slash = suggested.find_last_of("/\\"); slash != std::string_view::npos) {
    suggested.remove_prefix(slash + 1);
  }
  std::string name;
  std::ranges::copy_if(suggested, std::back_inserter(name), IsHarmless);
  const auto first = name.find_first_not_of(". ");
  name = first == std::string::npos ? "" : name.substr(first);
  while (name.ends_with('.') || name.ends_with(' ')) name.pop_back();
  if (name.empty()) return "download";
  if (IsReserved(name)) name.insert(0, "_");
  return Shorten(std::move(name));
}

Downloads::Downloads(const std::shared_ptr<cdp::Session>& root, std::string context_id,
                     const SessionOptions& options)
    : root_(root), context_id_(std::move(context_id)), options_(options) {
  subscriptions_.push_back(
      root_->On<cdp::BrowserDownloadWillBegin>([this](const auto& e) { OnBegin(e); }));
  subscriptions_.push_back(
      root_->On<cdp::BrowserDownloadProgress>([this](const auto& e) { OnProgress(e); }));
}

Downloads::~Downloads() {
  std::error_code ignored;
  if (!incoming_.empty()) std::filesystem::remove_all(incoming_, ignored);
}

void Downloads::SetFrameFilter(std::function<bool(const std::string&)> owns_frame) {
  owns_frame_ = std::move(owns_frame);
}

Result<void> Downloads::Start() {
  cdp::BrowserSetDownloadBehavior behavior{
      .behavior = "deny", .browser_context_id = context_id_, .events_enabled = true};
  if (!options_.artifacts.empty()) {
    std::error_code failed;
    incoming_ =
        std::filesystem::absolute(options_.artifacts, failed) / (".incoming_" + context_id_);
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

std::vector<Download> Downloads::Since(std::uint64_t seq) const {
  std::vector<Download> newer;
  std::ranges::copy_if(all_, std::back_inserter(newer),
                       [seq](const Download& d) { return d.seq > seq; });
  return newer;
}

void Downloads::OnBegin(const cdp::BrowserDownloadWillBegin& event) {
  if (owns_frame_ && !owns_frame_(event.frame_id)) return;
  all_.push_back({.id = "dl_" + event.guid,
                  .guid = event.guid,
                  .url = event.url,
                  .frame_id = event.frame_id,
                  .name = SafeFileName(event.suggested_filename),
                  .path = options_.artifacts / event.guid,
                  .seq = ++last_seq_});
  if (all_.size() > kMostKept) all_.pop_front();
  on_changed_.Emit(all_.back());
  changes_.NotifyAll();
}

void Downloads::OnProgress(const cdp::BrowserDownloadProgress& event) {
  Download* download = FindByGuid(event.guid);
  if (download == nullptr || download->state != DownloadState::kRunning) return;
  download->received = static_cast<std::uint64_t>(event.received_bytes);
  download->total = static_cast<std::uint64_t>(event.total_bytes);
  const std::uint64_t expected = std::max(download->received, download->total);
  if (!download->exceeds_quota && kept_bytes_ + expected > options_.max_download_bytes) {
    // Stopped while it streams: the disk never holds much more than is allowed.
    download->exceeds_quota = true;
    root_->Post(
        cdp::BrowserCancelDownload{.guid = download->guid, .browser_context_id = context_id_});
  }
  if (event.state == "completed" && !download->exceeds_quota) {
    if (const auto kept = Keep(*download); !kept) Discard(*download);
  } else if (event.state != "inProgress") {
    Discard(*download);
  }
  on_changed_.Emit(*download);
  changes_.NotifyAll();
}

// Half a file is no file. The browser may still be writing it under another name: what it leaves
// goes with the folder.
void Downloads::Discard(Download& download) {
  download.state = download.exceeds_quota ? DownloadState::kOverQuota : DownloadState::kCanceled;
  std::error_code ignored;
  std::filesystem::remove(incoming_ / download.guid, ignored);
}

Result<void> Downloads::Keep(Download& download) {
  const auto arrived = incoming_ / download.guid;
  download.sha256 = HashFile(arrived);
  std::error_code failed;
  std::filesystem::rename(arrived, download.path, failed);
  if (failed) {
    LOG(error, "download.not_kept", {"download", download.id}, {"why", failed.message()});
    return Fail(ErrorCode::kIoError, failed.message());
  }
  download.state = DownloadState::kCompleted;
  kept_bytes_ += download.received;
  return {};
}

Download* Downloads::FindByGuid(std::string_view guid) {
  const auto found = std::ranges::find(all_, guid, &Download::guid);
  return found == all_.end() ? nullptr : &*found;
}

Task<Result<Download>> Downloads::Finished(CallContext ctx, std::string id) {
  const auto find = [&]() -> const Download* {
    const auto found = std::ranges::find(all_, id, &Download::id);
    return found == all_.end() ? nullptr : &*found;
  };
  if (find() == nullptr) co_return Fail(ErrorCode::kNotFound, "no download " + id);
  CO_TRY(co_await changes_.Until(
      ctx,
      [&] {
        return find() == nullptr || find()->state != DownloadState::kRunning || !root_->is_open();
      },
      "the download to finish"));
  const Download* download = find();
  if (download == nullptr)
    co_return Fail(ErrorCode::kNotFound, "download " + id + " was forgotten");
  switch (download->state) {
    case DownloadState::kCompleted:
      co_return *download;
    case DownloadState::kOverQuota:
      co_return Fail(ErrorCode::kQuotaArtifactBytes,
                     "download of " + download->name + " stopped: more than " +
                         std::to_string(options_.max_download_bytes) + " bytes");
    default:
      co_return Fail(ErrorCode::kDownloadFailed,
                     "download of " + download->name + " was cancelled");
  }
}

Task<Result<void>> Downloads::Cancel(CallContext ctx, std::string id) {
  const auto found = std::ranges::find(all_, id, &Download::id);
  if (found == all_.end()) co_return Fail(ErrorCode::kNotFound, "no download " + id);
  CO_TRY(co_await root_->Send(
      std::move(ctx),
      cdp::BrowserCancelDownload{.guid = found->guid, .browser_context_id = context_id_}));
  co_return Result<void>();
}

}  // namespace falconer::browser
