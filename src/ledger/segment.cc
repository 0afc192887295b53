#include "ledger/segment.h"

#include <cerrno>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "ledger/chain_file.h"
#include "ledger/little_endian.h"

namespace falconer::ledger {
namespace {

constexpr std::string_view kSegmentMagic = "FALCLDG1";
constexpr std::uint16_t kVersion = 1;
constexpr std::uint8_t kHeaderPrefix = 2;
constexpr std::uint8_t kGenesisPrefix = 3;
// magic, version, zero, tenant length, first seq, previous hash
constexpr std::size_t kFixedBytes = 8 + 2 + 2 + 4 + 8 + 32;
constexpr std::size_t kMaxTenantBytes = 4096;

std::unexpected<Error> BadHeader(std::string_view why) {
  return Fail(ErrorCode::kLedgerDamaged, "segment header: " + std::string(why));
}

}  // namespace

Sha256Digest GenesisHash(const TenantId& tenant) {
  return Hasher().Prefixed(kGenesisPrefix, std::string(kSegmentMagic) + tenant.value());
}

std::string EncodeSegmentHeader(const SegmentHeader& header) {
  std::string out(kSegmentMagic);
  AppendNumber(out, kVersion);
  AppendNumber(out, std::uint16_t{0});
  AppendNumber(out, static_cast<std::uint32_t>(header.tenant.value().size()));
  AppendNumber(out, header.first_seq);
  out += BytesOf(header.previous);
  out += header.tenant.value();
  out += BytesOf(Hasher().Prefixed(kHeaderPrefix, out));
  return out;
}

Result<ParsedHeader> ParseSegmentHeader(std::string_view content) {
  if (content.size() < kFixedBytes) return BadHeader("incomplete");
  if (content.substr(0, kSegmentMagic.size()) != kSegmentMagic)
    return BadHeader("not a ledger segment");
  if (NumberAt<std::uint16_t>(content, 8) != kVersion) return BadHeader("unknown version");
  const auto tenant_bytes = NumberAt<std::uint32_t>(content, 12);
  if (tenant_bytes > kMaxTenantBytes) return BadHeader("the tenant is impossibly long");
  const std::size_t hash_at = kFixedBytes + tenant_bytes;
  if (content.size() < hash_at + sizeof(Sha256Digest)) return BadHeader("incomplete");
  const Sha256Digest hash = Hasher().Prefixed(kHeaderPrefix, content.substr(0, hash_at));
  if (BytesOf(hash) != content.substr(hash_at, sizeof(Sha256Digest))) {
    return BadHeader("the hash does not match");
  }
  ParsedHeader parsed{.bytes = hash_at + sizeof(Sha256Digest)};
  parsed.header.tenant = TenantId(std::string(content.substr(kFixedBytes, tenant_bytes)));
  parsed.header.first_seq = NumberAt<std::uint64_t>(content, 16);
  std::memcpy(parsed.header.previous.data(), content.data() + 24, sizeof(Sha256Digest));
  return parsed;
}

Result<SegmentHeader> LoadSegmentHeader(const std::filesystem::path& path) {
  TRY_ASSIGN(const std::string start,
             ReadChainFile(path, kFixedBytes + kMaxTenantBytes + sizeof(Sha256Digest)));
  Result<ParsedHeader> parsed = ParseSegmentHeader(start);
  if (!parsed) return Fail(std::move(parsed).error().In(path.string()));
  return std::move(parsed->header);
}

Result<std::string> LoadSegment(const std::filesystem::path& path, std::size_t from) {
  TRY_ASSIGN(const UniqueFd fd, OpenChainFile(path));
  struct stat status{};
  if (::fstat(fd.get(), &status) != 0) return IoFailure(path, "cannot read");
  const auto size = static_cast<std::size_t>(status.st_size);
  std::string content(size > from ? size - from : 0, '\0');
  std::size_t have = 0;
  while (have < content.size()) {
    const ssize_t n = ::pread(fd.get(), content.data() + have, content.size() - have,
                              static_cast<off_t>(from + have));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return IoFailure(path, "cannot read");
    if (n == 0) break;
    have += static_cast<std::size_t>(n);
  }
  content.resize(have);
  return content;
}

}  // namespace falconer::ledger
