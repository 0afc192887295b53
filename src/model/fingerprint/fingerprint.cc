#include "model/fingerprint/fingerprint.h"

namespace falconer::model {
namespace {

constexpr Bounds<std::size_t> kFingerprintTextSize = {0, kMaxFingerprintText};
constexpr Bounds<std::size_t> kFrameAddressSize = {0, 2048};
constexpr Bounds<double> kPageShare = {0, 1};
constexpr std::size_t kMaxFingerprintAttributes = 16;

struct FingerprintTextRow {
  std::string_view key;
  std::string Fingerprint::* member;
};

constexpr FingerprintTextRow kFingerprintTexts[] = {
    {"role", &Fingerprint::role},         {"name", &Fingerprint::name},
    {"text", &Fingerprint::text},         {"tag", &Fingerprint::tag},
    {"type", &Fingerprint::type},         {"label", &Fingerprint::label},
    {"landmark", &Fingerprint::landmark}, {"item", &Fingerprint::item},
    {"before", &Fingerprint::before},
};

void ReadAttributes(JsonReader& in, Fingerprint& out) {
  const auto attributes = in.OptionalRawObject("attributes");
  if (!attributes) return;
  if (attributes->size() > kMaxFingerprintAttributes)
    return in.Reject("attributes", "there are too many");
  for (const auto& [name, value] : *attributes) {
    if (!value.is_string() || value.get_string().size() > kMaxFingerprintText)
      return in.Reject("attributes", "expected short texts");
    out.attributes.emplace(name, value.get_string());
  }
}

Fingerprint ReadFingerprint(JsonReader& in) {
  Fingerprint out;
  for (const FingerprintTextRow& row : kFingerprintTexts)
    out.*row.member = in.OptionalString(row.key, kFingerprintTextSize).value_or("");
  ReadAttributes(in, out);
  out.x = in.OptionalNumber("x", kPageShare).value_or(0);
  out.y = in.OptionalNumber("y", kPageShare).value_or(0);
  out.is_enabled = in.OptionalBool("enabled").value_or(true);
  out.frame = in.OptionalString("frame", kFrameAddressSize).value_or("");
  out.selectors = in.OptionalStrings("selectors", {0, kMaxFingerprintSelectors})
                      .value_or(std::vector<std::string>());
  return out;
}

}  // namespace

Result<Fingerprint> Fingerprint::FromJson(const json::value& value, std::string path) {
  return ReadJson(value, std::move(path), ReadFingerprint);
}

json::object Fingerprint::ToJson() const {
  json::object out;
  for (const FingerprintTextRow& row : kFingerprintTexts)
    if (!(this->*row.member).empty()) out[row.key] = this->*row.member;
  if (!attributes.empty()) {
    json::object named;
    for (const auto& [key, value] : attributes) named[key] = value;
    out["attributes"] = std::move(named);
  }
  if (x != 0) out["x"] = x;
  if (y != 0) out["y"] = y;
  if (!is_enabled) out["enabled"] = false;
  if (!frame.empty()) out["frame"] = frame;
  if (!selectors.empty()) out["selectors"] = json::array(selectors.begin(), selectors.end());
  return out;
}

}  // namespace falconer::model
