#include "base/settings/settings.h"

#include <fmt/format.h>
#include <unistd.h>
#include <yaml-cpp/yaml.h>

#include "base/check.h"
#include "base/file.h"
#include "base/settings/settings_table.h"
#include "base/settings/yaml_value.h"

namespace falconer {
namespace {

// Names in the environment that begin like a setting and are none.
constexpr std::string_view kOtherNames[] = {"FALCONER_CONFIG", "FALCONER_VAULT_KEY",
                                            "FALCONER_VAULT_KEY_FILE"};
constexpr std::string_view kOtherPrefixes[] = {"FALCONER_TEST_", "FALCONER_BENCH_",
                                               "FALCONER_SECRET_"};
// A settings file is small; alias loops and mistaken files are caught by these.
constexpr std::size_t kMaxFileBytes = 1 << 20;
constexpr int kMaxFileDepth = 8;

std::unexpected<Error> Bad(std::string_view source, std::string_view why) {
  return Fail(ErrorCode::kInvalidSetting, fmt::format("{}: {}", source, why));
}

using Environment = std::map<std::string, std::string, std::less<>>;

Environment ParseEnvironment(const std::vector<std::string>& lines) {
  Environment out;
  for (const std::string& line : lines) {
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos || equals + 1 == line.size()) continue;
    out[line.substr(0, equals)] = line.substr(equals + 1);
  }
  return out;
}

Result<std::string> ReadText(const std::filesystem::path& path) {
  auto text = ReadFile(path, kMaxFileBytes + 1);
  if (text || text.error().code() == ErrorCode::kNotFound) return text;
  return Fail(Error(text.error().code(), "the settings file: " + text.error().message(),
                    {{kSettingsFileDetail, path.string()}}));
}

class Loader {
 public:
  Loader() {
    for (const SettingRow& row : AllSettings()) {
      CHECK(row.binding.parse(row.fallback, loaded_.values), "a default is not allowed");
    }
  }

  Result<void> ReadFile(const std::filesystem::path& path);
  Result<void> ReadEnvironment(const Environment& environment);
  Result<void> ReadFlag(const std::string& key, const std::string& value);

  LoadedSettings Take() && { return std::move(loaded_); }

 private:
  Result<void> ReadMap(const YAML::Node& node, const std::string& key, int depth);
  Result<void> ReadLeaf(const YAML::Node& node, const std::string& key, const std::string& source);
  Result<void> Set(std::string_view key, std::string_view text, const std::string& source);
  std::string SourceOf(const YAML::Node& node) const;

  LoadedSettings loaded_;
  std::string file_;
};

Result<void> Loader::Set(std::string_view key, std::string_view text, const std::string& source) {
  const SettingRow* row = SettingNamed(key);
  if (row == nullptr) return Bad(source, fmt::format("there is no setting \"{}\"", key));
  if (!row->binding.parse(text, loaded_.values)) {
    const std::string got =
        row->secrecy == Secrecy::kSecret ? "" : fmt::format(", got \"{}\"", text);
    return Bad(source, fmt::format("{}: expected {} ({}){}", key, row->binding.type,
                                   row->binding.allowed(), got));
  }
  loaded_.sources[std::string(key)] = source;
  return {};
}

std::string Loader::SourceOf(const YAML::Node& node) const {
  return fmt::format("{}:{}", file_, node.Mark().line + 1);
}

Result<void> Loader::ReadLeaf(const YAML::Node& node, const std::string& key,
                              const std::string& source) {
  if (loaded_.sources.contains(key)) return Bad(source, key + " is given twice");
  if (node.IsScalar()) return Set(key, node.Scalar(), source);
  if (!node.IsSequence()) return Bad(source, key + " has no value");
  const SettingRow* row = SettingNamed(key);
  if (row != nullptr && row->binding.type == "records") {
    TRY_ASSIGN(const json::value records, YamlValue(node, source));
    return Set(key, json::serialize(records), source);
  }
  if (row != nullptr && row->binding.type != "list") return Bad(source, key + " is not a list");
  json::array words;
  for (const YAML::Node& word : node) {
    if (!word.IsScalar()) return Bad(SourceOf(word), key + " is a list of strings");
    words.emplace_back(word.Scalar());
  }
  return Set(key, json::serialize(words), source);
}

Result<void> Loader::ReadMap(const YAML::Node& node, const std::string& key, int depth) {
  for (const auto& member : node) {
    const YAML::Node& name = member.first;
    const YAML::Node& value = member.second;
    // The place is the key's: an empty value has none of its own.
    const std::string source = SourceOf(name);
    if (!name.IsScalar()) return Bad(source, "a key must be a word");
    const std::string path = key.empty() ? name.Scalar() : key + "." + name.Scalar();
    if (depth > kMaxFileDepth) return Bad(source, path + " is nested too deep");
    TRY(value.IsMap() ? ReadMap(value, path, depth + 1) : ReadLeaf(value, path, source));
  }
  return {};
}

Result<void> Loader::ReadFile(const std::filesystem::path& path) {
  file_ = path.string();
  TRY_ASSIGN(const std::string text, ReadText(path));
  if (text.size() > kMaxFileBytes) return Bad(file_, "too large for a settings file");
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(text);
    if (documents.size() > 1) return Bad(SourceOf(documents[1]), "a settings file is one document");
    if (documents.empty() || documents[0].IsNull()) return {};
    const YAML::Node& root = documents[0];
    if (!root.IsMap()) return Bad(SourceOf(root), "a settings file holds \"key: value\" lines");
    return ReadMap(root, "", 0);
  } catch (const YAML::Exception& failure) {
    return Bad(fmt::format("{}:{}", file_, failure.mark.line + 1), failure.msg);
  }
}

bool IsOtherName(std::string_view name) {
  if (std::ranges::find(kOtherNames, name) != std::end(kOtherNames)) return true;
  return std::ranges::any_of(kOtherPrefixes, [&](auto prefix) { return name.starts_with(prefix); });
}

// An old name's plain number in the unit the old name had.
std::string InItsUnit(const OldName& old, const std::string& text) {
  const bool is_plain = text.find_first_not_of("0123456789") == std::string::npos;
  return is_plain ? text + std::string(old.unit) : text;
}

Result<void> Loader::ReadEnvironment(const Environment& environment) {
  Environment unread = environment;
  std::erase_if(unread, [](const auto& entry) {
    return !entry.first.starts_with("FALCONER_") || IsOtherName(entry.first);
  });
  for (const SettingRow& row : AllSettings()) {
    for (const OldName& old : row.old_names) {
      const auto found = environment.find(old.name);
      if (found == environment.end()) continue;
      TRY(Set(row.key, InItsUnit(old, found->second), fmt::format("environment {}", old.name)));
    }
    const std::string name = EnvironmentName(row);
    if (const auto found = environment.find(name); found != environment.end()) {
      TRY(Set(row.key, found->second, "environment " + name));
      unread.erase(name);
    }
  }
  if (unread.empty()) return {};
  return Bad("environment " + unread.begin()->first, "there is no such setting");
}

Result<void> Loader::ReadFlag(const std::string& key, const std::string& value) {
  return Set(key, value, "--set " + key);
}

}  // namespace

Result<LoadedSettings> LoadSettings(const SettingsInput& input) {
  const Environment environment = ParseEnvironment(input.environment);
  std::optional<std::filesystem::path> file = input.file;
  if (const auto named = environment.find("FALCONER_CONFIG"); !file && named != environment.end()) {
    file = named->second;
  }
  Loader loader;
  if (file) TRY(loader.ReadFile(*file));
  TRY(loader.ReadEnvironment(environment));
  for (const auto& [key, value] : input.flags) TRY(loader.ReadFlag(key, value));
  return std::move(loader).Take();
}

Settings DefaultSettings() {
  return Loader().Take().values;
}

std::vector<std::string> ProcessEnvironment() {
  std::vector<std::string> out;
  for (char** line = environ; line != nullptr && *line != nullptr; ++line) out.emplace_back(*line);
  return out;
}

}  // namespace falconer
