#include "ledger/chain_paths.h"

#include <algorithm>
#include <fmt/format.h>
#include <system_error>

#include "base/percent.h"
#include "base/sha256.h"
#include "base/text.h"
#include "ledger/segment.h"

namespace falconer::ledger {
namespace {

constexpr std::size_t kLongestName = 200;
constexpr std::size_t kSeqDigits = 20;

std::optional<std::uint64_t> SeqOf(const std::filesystem::path& path) {
  const std::string stem = path.stem().string();
  if (path.extension() != ".seg" || stem.size() != kSeqDigits) return std::nullopt;
  const std::optional<std::uint64_t> seq = ParseWhole<std::uint64_t>(stem);
  return seq == 0U ? std::nullopt : seq;
}

std::unexpected<Error> NoFolder(const std::filesystem::path& folder, const std::error_code& why) {
  const bool is_missing = why == std::errc::no_such_file_or_directory;
  return Fail(is_missing ? ErrorCode::kNotFound : ErrorCode::kIoError,
              "cannot read " + folder.string() + ": " + why.message());
}

// Whose chain a folder is to hold. A chain that was put into another's place is looked at as that
// other's, and a damaged one by the name of its folder: verification says what is wrong with them.
Result<TenantId> TenantOf(const std::filesystem::path& data_folder,
                          const std::filesystem::path& folder,
                          const std::filesystem::path& segment) {
  const Result<SegmentHeader> header = LoadSegmentHeader(segment);
  if (header && ChainPaths::Of(data_folder, header->tenant).folder == folder) return header->tenant;
  const auto named = DecodeTenant(folder.filename().string());
  const bool is_damaged = !header && header.error().code() == ErrorCode::kLedgerDamaged;
  if (named && (header || is_damaged)) return TenantId(*named);
  if (header) return header->tenant;
  return Fail(header.error());
}

}  // namespace

std::string EncodeTenant(std::string_view tenant) {
  return tenant.empty() ? "%" : PercentEncoded(tenant, {.kept = "-_"});
}

Result<std::string> DecodeTenant(std::string_view encoded) {
  std::string out = encoded == "%" ? "" : PercentDecoded(encoded);
  // Writing it again is the strictest check there is.
  if (EncodeTenant(out) != encoded) {
    return Fail(ErrorCode::kInvalidArgument, "not the name of a tenant: " + std::string(encoded));
  }
  return out;
}

std::string FolderNameOf(const TenantId& tenant) {
  std::string name = EncodeTenant(tenant.value());
  if (name.size() <= kLongestName) return name;
  return "%%" + Sha256Hex(tenant.value());
}

ChainPaths ChainPaths::Of(const std::filesystem::path& data_folder, const TenantId& tenant) {
  return {data_folder / "ledger" / FolderNameOf(tenant)};
}

std::filesystem::path ChainPaths::segment(std::uint64_t first_seq) const {
  return folder / fmt::format("{:020}.seg", first_seq);
}

std::filesystem::path IndexOf(const std::filesystem::path& segment) {
  std::filesystem::path index = segment;
  return index.replace_extension(".idx");
}

Result<std::vector<SegmentFile>> ListSegments(const std::filesystem::path& folder) {
  std::error_code failed;
  std::vector<SegmentFile> segments;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    if (const auto seq = SeqOf(at->path())) segments.push_back({*seq, at->path()});
  }
  if (failed) return NoFolder(folder, failed);
  std::ranges::sort(segments, {}, &SegmentFile::first_seq);
  return segments;
}

Result<std::vector<TenantId>> ListChains(const std::filesystem::path& data_folder) {
  const std::filesystem::path ledger = data_folder / "ledger";
  std::vector<TenantId> tenants;
  std::error_code failed;
  for (std::filesystem::directory_iterator at(ledger, failed), end; !failed && at != end;
       at.increment(failed)) {
    const auto segments = ListSegments(at->path());
    if (!segments || segments->empty()) continue;
    TRY_ASSIGN(TenantId tenant, TenantOf(data_folder, at->path(), segments->back().path));
    tenants.push_back(std::move(tenant));
  }
  if (failed && failed != std::errc::no_such_file_or_directory) return NoFolder(ledger, failed);
  std::ranges::sort(tenants);
  return tenants;
}

}  // namespace falconer::ledger
