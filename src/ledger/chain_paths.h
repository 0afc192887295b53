#pragma once
// Where the files of a chain are, and how a tenant becomes the name of a folder: two tenants never
// share one, whatever characters they consist of.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/ids.h"

namespace falconer::ledger {

// Letters, digits, "-" and "_" stay; every other byte is "%XX". The empty tenant is "%".
std::string EncodeTenant(std::string_view tenant);
// The way back; kInvalidArgument for what EncodeTenant never writes.
Result<std::string> DecodeTenant(std::string_view encoded);
// The same for a folder: a name too long for one becomes "%%" and its SHA-256.
std::string FolderNameOf(const TenantId& tenant);

struct ChainPaths {
  static ChainPaths Of(const std::filesystem::path& data_folder, const TenantId& tenant);

  std::filesystem::path folder;

  std::filesystem::path checkpoints() const { return folder / "checkpoints"; }
  // See ChainLock.
  std::filesystem::path lock() const { return folder / "lock"; }
  std::filesystem::path next_lock() const { return folder / "lock.next"; }
  std::filesystem::path turn_lock() const { return folder / "lock.turn"; }
  std::filesystem::path archived() const { return folder / "archived"; }
  // "00000000000000000001.seg"
  std::filesystem::path segment(std::uint64_t first_seq) const;
};

// The sidecar index of a segment.
std::filesystem::path IndexOf(const std::filesystem::path& segment);

struct SegmentFile {
  std::uint64_t first_seq = 0;
  std::filesystem::path path;
};

// Only the last segment of a chain is written: what a crash leaves half-written is at its end.
enum class SegmentRole { kEarlier, kLast };

// The segments in a folder, by their first record. kNotFound when there is no folder, kIoError when
// it cannot be read.
Result<std::vector<SegmentFile>> ListSegments(const std::filesystem::path& folder);

// The chains in a data folder, by tenant. Folders that hold no segment are skipped; a damaged chain
// is listed by the name of its folder.
Result<std::vector<TenantId>> ListChains(const std::filesystem::path& data_folder);

}  // namespace falconer::ledger
