#include "tests/api/planted_secrets.h"

#include <algorithm>
#include <fstream>
#include <random>

#include "base/base64.h"
#include "base/check.h"
#include "base/hex.h"
#include "base/percent.h"
#include "policy/secrets/open_vault.h"

namespace falconer::test {
namespace {

constexpr std::size_t kInVault = 100;
constexpr std::size_t kFieldsEach = 10;
constexpr std::size_t kInEnvironment = 60;
constexpr std::size_t kByCommand = 40;

// The same in every run.
class Maker {
 public:
  std::string Of(std::string_view alphabet, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) out += alphabet[random_() % alphabet.size()];
    return out;
  }
  std::string Letters(std::size_t count) {
    return Of("abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789", count);
  }
  std::string Digits(std::size_t count) { return Of("0123456789", count); }

 private:
  std::mt19937 random_{20240229};
};

std::string Card(Maker& make) {
  std::string digits = "4" + make.Digits(14);
  int sum = 0;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    int digit = digits[digits.size() - 1 - i] - '0';
    if (i % 2 == 0) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return digits + static_cast<char>('0' + (10 - sum % 10) % 10);
}

struct KindRow {
  std::string_view name;
  std::string (*make)(Maker& make);
};

constexpr KindRow kKinds[] = {
    {"password", [](Maker& m) { return m.Letters(9) + "!" + m.Digits(2) + "#"; }},
    {"key", [](Maker& m) { return "sk_live_" + m.Letters(32); }},
    {"card", Card},
    {"unicode",
     [](Maker& m) { return "pä\xC3\x9F" + m.Letters(5) + "日本\xF0\x9F\x94\x91" + m.Letters(3); }},
    {"spaces", [](Maker& m) { return m.Letters(5) + " " + m.Letters(6) + "  " + m.Letters(7); }},
    {"quotes", [](Maker& m) { return "a\"" + m.Letters(5) + "'\\" + m.Letters(5) + "`"; }},
    {"short", [](Maker& m) { return m.Letters(2) + m.Of("#$!?*", 1) + m.Letters(3); }},
    {"long", [](Maker& m) { return m.Letters(2048); }},
    {"markup", [](Maker& m) { return "<b>" + m.Letters(6) + "</b>&amp;" + m.Letters(4); }},
    {"address", [](Maker& m) { return m.Letters(6) + "%20+&=?/#" + m.Letters(6); }},
};

policy::SecretText TextOf(std::string_view value) {
  return policy::SecretText(value);
}

void WriteVault(const std::filesystem::path& data, const std::vector<PlantedSecret>& secrets) {
  const policy::VaultHome home{.data_folder = data};
  auto key = policy::CreateVaultKey(home, policy::KeyPlace::kFile);
  CHECK(key, "the vault has a key");
  policy::VaultFile vault(home.vault(), *std::move(key));
  for (std::size_t i = 0; i < secrets.size(); i += kFieldsEach) {
    policy::Secret secret{.name = secrets[i].name,
                          .hosts = policy::ParseHostPatterns({"127.0.0.1"}).value()};
    for (std::size_t k = i; k < i + kFieldsEach; ++k)
      secret.fields.push_back({secrets[k].field, TextOf(secrets[k].value)});
    CHECK(vault.Put(std::move(secret)), "the vault can be written");
  }
}

// The characters that only the value decides, with 0 to 2 bytes before it.
std::string Base64At(std::string_view value, std::size_t before) {
  const std::string whole = EncodeBase64(std::string(before, 'x') + std::string(value));
  const std::size_t first = (8 * before + 5) / 6;
  return whole.substr(first, 8 * (before + value.size()) / 6 - first);
}

enum class ByteOrder { kLittle, kBig };

// Of ASCII only: that is enough to tell that something writes it.
std::string InUtf16(std::string_view value, ByteOrder order) {
  std::string out;
  for (const char c : value) {
    if (order == ByteOrder::kBig) out += '\0';
    out += c;
    if (order == ByteOrder::kLittle) out += '\0';
  }
  return out;
}

bool IsAscii(std::string_view value) {
  return std::ranges::all_of(value, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

json::object PlantedSecret::Reference() const {
  json::object reference{{"secret", name}};
  if (!field.empty()) reference["field"] = field;
  return reference;
}

std::vector<PlantedSecret> PlantSecrets(const std::filesystem::path& data,
                                        const std::filesystem::path& commands) {
  using enum PlantedSecret::Source;
  Maker make;
  std::vector<PlantedSecret> secrets;
  const auto plant = [&](std::string name, std::string field, PlantedSecret::Source source) {
    const KindRow& kind = kKinds[secrets.size() % std::size(kKinds)];
    secrets.push_back({.name = std::move(name),
                       .field = std::move(field),
                       .value = kind.make(make),
                       .kind = std::string(kind.name),
                       .source = source});
  };
  for (std::size_t i = 0; i < kInVault; ++i)
    plant("v" + std::to_string(i / kFieldsEach), "f" + std::to_string(i % kFieldsEach), kVault);
  std::filesystem::create_directories(data);
  WriteVault(data, secrets);
  for (std::size_t i = 0; i < kInEnvironment; ++i) plant("E" + std::to_string(i), "", kEnvironment);
  std::filesystem::create_directories(commands);
  for (std::size_t i = 0; i < kByCommand; ++i) {
    plant("c" + std::to_string(i), "", kCommand);
    secrets.back().file = commands / secrets.back().name;
    std::ofstream(secrets.back().file) << secrets.back().value << "\n";
  }
  return secrets;
}

std::vector<std::string> EnvironmentOf(const std::vector<PlantedSecret>& secrets) {
  std::vector<std::string> lines;
  for (const PlantedSecret& secret : secrets) {
    if (secret.source != PlantedSecret::Source::kEnvironment) continue;
    lines.push_back("FALCONER_SECRET_" + secret.name + "=" + secret.value);
    lines.push_back("FALCONER_SECRET_" + secret.name + "_HOSTS=127.0.0.1");
  }
  return lines;
}

std::string CommandSetting(const std::vector<PlantedSecret>& secrets) {
  json::array commands;
  for (const PlantedSecret& secret : secrets) {
    if (secret.source != PlantedSecret::Source::kCommand) continue;
    commands.emplace_back(secret.name + " 127.0.0.1 cat " + secret.file.string());
  }
  return json::serialize(commands);
}

std::string InJson(std::string_view value) {
  const std::string quoted = json::serialize(json::value(value));
  return quoted.substr(1, quoted.size() - 2);
}

std::vector<std::string> FormsOf(std::string_view value) {
  const std::string text(value);
  std::vector<std::string> forms = {
      text,
      InJson(text),
      InJson(InJson(text)),
      PercentEncoded(text),
      PercentEncoded(text, {.kept = "-_.!~*'()"}),
      ToHex(std::span(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()))};
  for (std::size_t before = 0; before < 3; ++before) forms.push_back(Base64At(text, before));
  if (IsAscii(text)) {
    forms.push_back(InUtf16(text, ByteOrder::kLittle));
    forms.push_back(InUtf16(text, ByteOrder::kBig));
  }
  return forms;
}

}  // namespace falconer::test
