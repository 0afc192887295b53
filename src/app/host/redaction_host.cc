#include "app/host/redaction_host.h"

#include <algorithm>

#include "app/report.h"
#include "base/log.h"
#include "policy/secrets/vault_key.h"

namespace falconer::app {
namespace {

constexpr std::string_view kKeyFile = "redaction.key";
// Attributes of spans that this program made up itself, and that they are found by.
constexpr std::string_view kOwnIds[] = {"falconer.session_id", "falconer.turn_id",
                                        "falconer.action_id", "falconer.decision_id"};

// Another program may make it at the same time: then its key counts.
Result<policy::VaultKey> LoadDigestKey(const std::filesystem::path& file) {
  auto found = policy::VaultKey::FromFile(file);
  if (found || found.error().code() != ErrorCode::kNotFound) return found;
  auto made = policy::VaultKey::CreateFile(file);
  if (made || made.error().code() != ErrorCode::kAlreadyExists) return made;
  return policy::VaultKey::FromFile(file);
}

policy::RedactionLevel LevelFrom(RedactionSetting setting) {
  return setting == RedactionSetting::kStrict ? policy::RedactionLevel::kStrict
                                              : policy::RedactionLevel::kStandard;
}

}  // namespace

Result<std::unique_ptr<RedactionHost>> RedactionHost::Open(const Settings& settings) {
  const auto key = LoadDigestKey(settings.data.dir / kKeyFile);
  if (!key) return Fail(AboutKey(key.error(), kRedactionKey));
  std::unique_ptr<RedactionHost> host(new RedactionHost(settings, std::string(key->Reveal())));
  SetLogRedactor([redactor = &host->redactor_](std::string_view name, json::value& value) {
    redactor->RedactField(policy::Surface::kLog, name, value);
  });
  return host;
}

RedactionHost::RedactionHost(const Settings& settings, std::string digest_key)
    : redactor_(
          {.level = LevelFrom(settings.redaction.level), .digest_key = std::move(digest_key)}),
      scrubber_(redactor_) {
  if (settings.injection.filter) quarantine_.emplace(QuarantineFolder(settings));
}

RedactionHost::~RedactionHost() {
  SetLogRedactor({});
}

// A line is an event of ours, of which the ids are what it is for.
std::function<void(std::string& line)> RedactionHost::telemetry_filter() const {
  return [redactor = &redactor_](std::string& line) {
    auto event = ParseJson(line);
    if (!event || !event->is_object()) {
      redactor->RedactText(policy::Surface::kTelemetry, line);
      return;
    }
    const json::value* found = event->get_object().if_contains("session_id");
    const std::optional<json::value> session = found ? std::optional(*found) : std::nullopt;
    redactor->RedactJson(policy::Surface::kTelemetry, *event);
    if (session) event->get_object()["session_id"] = *session;
    line = json::serialize(*event);
  };
}

std::function<void(json::object& attributes)> RedactionHost::span_filter() const {
  return [redactor = &redactor_](json::object& attributes) {
    for (auto& [name, value] : attributes) {
      if (std::ranges::find(kOwnIds, std::string_view(name)) == std::end(kOwnIds))
        redactor->RedactField(policy::Surface::kTelemetry, name, value);
    }
  };
}

std::filesystem::path QuarantineFolder(const Settings& settings) {
  return settings.data.dir / "quarantine";
}

}  // namespace falconer::app
