#include "ledger/checkpoint.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "base/hex.h"
#include "ledger/chain_paths.h"
#include "ledger/from_hex.h"

namespace falconer::ledger {
namespace {

constexpr std::string_view kTitle = "falconer-checkpoint 1";
constexpr std::string_view kEnd = "\n\n";

std::string PeaksText(const MerklePeaks& tree) {
  std::string out;
  for (const Sha256Digest& peak : tree.peaks()) out += (out.empty() ? "" : ",") + ToHex(peak);
  return out;
}

// Takes one line "name value" after the other. What is not there reads as empty: the comparison
// with the text written anew finds it.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  std::string_view Next() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return line;
  }
  std::string_view Value(std::string_view name) {
    const std::string_view line = Next();
    if (!line.starts_with(name)) return {};
    return line.substr(std::min(name.size() + 1, line.size()));
  }
  std::int64_t Number(std::string_view name) {
    const std::string_view value = Value(name);
    std::int64_t number = 0;
    (void)std::from_chars(value.data(), value.data() + value.size(), number);
    return number;
  }
  Sha256Digest Digest(std::string_view name) {
    return FromHex<sizeof(Sha256Digest)>(Value(name)).value_or(Sha256Digest{});
  }
  std::vector<Sha256Digest> Digests(std::string_view name) {
    std::vector<Sha256Digest> out;
    std::string_view value = Value(name);
    while (!value.empty()) {
      const std::size_t end = std::min(value.find(','), value.size());
      out.push_back(FromHex<sizeof(Sha256Digest)>(value.substr(0, end)).value_or(Sha256Digest{}));
      value.remove_prefix(std::min(end + 1, value.size()));
    }
    return out;
  }

 private:
  std::string_view rest_;
};

std::unexpected<Error> Damaged(std::string_view why) {
  return Fail(ErrorCode::kLedgerDamaged, "checkpoint: " + std::string(why));
}

}  // namespace

std::string Checkpoint::SignedText() const {
  return fmt::format(
      "{}\norigin {}\nsize {}\nroot {}\nhead {}\npeaks {}\ntime {}\nkey {}\nprevious {}\n", kTitle,
      EncodeTenant(tenant.value()), size(), ToHex(root), ToHex(head), PeaksText(tree), wall_ms,
      key_id, ToHex(previous));
}

std::string Checkpoint::ToText() const {
  return fmt::format("{}signature {}\n\n", SignedText(), ToHex(signature));
}

Checkpoint Sign(Checkpoint checkpoint, const SigningKey& key) {
  Hasher hasher;
  checkpoint.root = checkpoint.tree.Root(hasher);
  checkpoint.key_id = key.public_key().id();
  checkpoint.signature = key.Sign(checkpoint.SignedText());
  return checkpoint;
}

Result<Checkpoint> ParseCheckpoint(std::string_view text) {
  Lines lines(text);
  Checkpoint checkpoint;
  (void)lines.Next();
  TRY_ASSIGN(std::string tenant, DecodeTenant(lines.Value("origin")));
  checkpoint.tenant = TenantId(std::move(tenant));
  const auto size = static_cast<std::uint64_t>(lines.Number("size"));
  checkpoint.root = lines.Digest("root");
  checkpoint.head = lines.Digest("head");
  auto tree = MerklePeaks::FromParts(size, lines.Digests("peaks"));
  if (!tree) return Damaged(tree.error().message());
  checkpoint.tree = *std::move(tree);
  checkpoint.wall_ms = lines.Number("time");
  checkpoint.key_id = lines.Value("key");
  checkpoint.previous = lines.Digest("previous");
  checkpoint.signature = FromHex<sizeof(Signature)>(lines.Value("signature")).value_or(Signature{});
  if (checkpoint.ToText() != text) return Damaged("not in the form that checkpoints are written");
  Hasher hasher;
  if (checkpoint.tree.Root(hasher) != checkpoint.root) return Damaged("root and peaks disagree");
  return checkpoint;
}

bool IsSignedByOneOf(const Checkpoint& checkpoint, std::span<const PublicKey> keys) {
  return std::ranges::any_of(keys, [&](const PublicKey& key) {
    return key.id() == checkpoint.key_id &&
           key.Verifies(checkpoint.SignedText(), checkpoint.signature);
  });
}

CheckpointTexts SplitCheckpoints(std::string_view file) {
  CheckpointTexts out;
  for (std::size_t end = file.find(kEnd); end != std::string_view::npos; end = file.find(kEnd)) {
    out.texts.push_back(file.substr(0, end + kEnd.size()));
    file.remove_prefix(end + kEnd.size());
  }
  out.torn = file;
  return out;
}

}  // namespace falconer::ledger
