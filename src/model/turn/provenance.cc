#include "model/turn/provenance.h"

#include <fmt/format.h>

#include "base/hex.h"

namespace falconer::model {

bool IsSha256Hex(std::string_view text) {
  return text.size() == 64 && IsHex(text);
}

Result<void> SnapshotProvenance::Validate() const {
  for (const auto& [kind, name] : kSnapshotKinds) {
    if (IsSha256Hex((*this)[kind])) continue;
    const std::string field = fmt::format("snapshot_provenance.{}", name);
    return std::unexpected(Error(ErrorCode::kInvalidArgument,
                                 field + ": must be a SHA-256 digest in hex", {{"field", field}}));
  }
  return {};
}

json::object SnapshotProvenance::ToJson() const {
  json::object out;
  for (const auto& [kind, name] : kSnapshotKinds) out[name] = (*this)[kind];
  return out;
}

SnapshotProvenance ReadProvenance(JsonReader& in) {
  SnapshotProvenance read;
  for (const auto& [kind, name] : kSnapshotKinds) read[kind] = in.String(name);
  return read;
}

}  // namespace falconer::model
