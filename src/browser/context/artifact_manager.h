#pragma once
// ArtifactManager: the files of tenants: what they give for uploads, what was downloaded, pictures
// and documents of pages. Content is kept by its hash in a folder per tenant and workflow; names
// and paths of callers are never used as paths. Everything that is known of an artifact lies beside
// it, so nothing is lost with the process, and several processes may share the folder.
//
// All of it reads or writes disks and returns when that is done: call it where waiting is allowed.
// Safe to use from several threads.

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async/clock.h"
#include "base/ids.h"
#include "browser/context/artifact_writer.h"

namespace falconer::browser {

struct ArtifactOwner {
  TenantId tenant;
  WorkflowId workflow;
};

struct ArtifactPage {
  std::vector<ArtifactRecord> artifacts;  // oldest first
  // Where the next page begins; "" after the last.
  std::string next;
};

struct ArtifactPurge {
  // Only those of this workflow; of all workflows when absent.
  std::optional<WorkflowId> workflow;
  // Only those that are at least so old.
  std::chrono::milliseconds older_than{0};
};

struct ArtifactPurged {
  std::size_t artifacts = 0;
  std::uint64_t bytes = 0;
};

class ArtifactManager {
 public:
  struct Options {
    std::filesystem::path root;
    // Where callers may put files to be registered. Empty: nowhere.
    std::filesystem::path inbox;
    // Of tenants that have no limit of their own (SetLimit).
    std::uint64_t max_bytes_per_tenant = 0;
  };

  // `clock` must outlive the manager.
  ArtifactManager(Options options, Clock& clock);
  ArtifactManager(const ArtifactManager&) = delete;
  ArtifactManager& operator=(const ArtifactManager&) = delete;

  // What the tenant's quota allows, from the next byte on; 0 for no limit.
  void SetLimit(const TenantId& tenant, std::uint64_t bytes);

  // The folder a session of this workflow works in (SessionOptions::artifacts): ids of artifacts
  // are found from there by ArtifactFolder::ResolveUpload().
  std::filesystem::path FolderOf(const ArtifactOwner& owner) const;

  // Content that comes in pieces. Of all writing: kQuotaArtifactBytes, kIoError; nothing is left
  // behind then.
  Result<std::unique_ptr<ArtifactWriter>> Begin(const ArtifactOwner& owner, ArtifactKind kind,
                                                std::string_view name);
  // Ends it.
  Result<ArtifactRecord> Finish(std::unique_ptr<ArtifactWriter> writer);
  Result<ArtifactRecord> Save(const ArtifactOwner& owner, ArtifactKind kind, std::string_view name,
                              std::string_view bytes);
  Result<ArtifactRecord> RegisterUpload(const ArtifactOwner& owner, std::string_view name,
                                        std::string_view bytes);
  // Copies a file of the inbox. kInvalidActionSpec when the path leaves the inbox, kNotFound.
  Result<ArtifactRecord> RegisterFromInbox(const ArtifactOwner& owner,
                                           const std::filesystem::path& relative);
  // Keeps a file that the driver wrote into FolderOf(): a download, a picture. `file` is its name
  // there, `name` what people call it. kNotFound.
  Result<ArtifactRecord> Adopt(const ArtifactOwner& owner, ArtifactKind kind,
                               const std::string& file, std::string_view name);

  // At most `limit` (1 to 1000) from where the page before said. kInvalidArgument for a `from` that
  // no page gave.
  Result<ArtifactPage> List(const ArtifactOwner& owner, std::string_view from,
                            std::size_t limit) const;
  // kNotFound, also for what is no id.
  Result<ArtifactRecord> Find(const ArtifactOwner& owner, std::string_view id) const;
  // At most `most` bytes from `offset`; "" at the end. kNotFound, kIoError.
  Result<std::string> Read(const ArtifactOwner& owner, std::string_view id, std::uint64_t offset,
                           std::size_t most) const;

  // Removes what fits and gives its bytes back to the tenant. Remains of writers that were broken
  // off go with it once they are a day old.
  Result<ArtifactPurged> Purge(const TenantId& tenant, const ArtifactPurge& purge);
  // Counted from the folder.
  Result<std::uint64_t> UsedBytes(const TenantId& tenant) const;
  Result<std::uint64_t> LeftBytes(const TenantId& tenant);

 private:
  ArtifactPlace PlaceOf(const ArtifactOwner& owner);
  std::shared_ptr<ArtifactAccount> AccountOf(const TenantId& tenant);
  std::filesystem::path TenantFolder(const TenantId& tenant) const;
  Result<std::filesystem::path> ContentOf(const ArtifactOwner& owner, std::string_view id) const;

  Options options_;
  Clock& clock_;
  std::mutex mutex_;
  std::map<TenantId, std::shared_ptr<ArtifactAccount>> accounts_;
};

}  // namespace falconer::browser
