#include "app/host/ghost_host.h"

#include <fmt/format.h>
#include <utility>

#include "agent/providers/make_providers.h"
#include "agent/providers/provider_spec.h"

namespace falconer::app {
namespace {

agent::GhostSettings GhostSettingsFrom(const Settings::Ghost& from) {
  return {.enabled = from.enabled,
          .auto_trigger = from.auto_trigger,
          .max_image_width = from.max_image_width,
          .max_retries = from.max_retries,
          .ocr = {.program = from.ocr_program, .languages = from.ocr_languages}};
}

// The rows that see; only the one of that name, if one is named.
Result<json::array> SeeingRows(const json::array& rows, std::string_view name) {
  TRY_ASSIGN(const auto specs, agent::ParseProviders(rows));
  json::array seeing;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const bool is_meant = name.empty() || specs[i].name == name;
    if (is_meant && specs[i].sees) seeing.push_back(rows[i]);
  }
  if (seeing.empty() && !name.empty())
    return Fail(
        ErrorCode::kInvalidSetting,
        fmt::format("agent.ghost.vision_provider: agent.providers has no \"{}\" that sees", name));
  return seeing;
}

}  // namespace

Result<std::unique_ptr<GhostHost>> GhostHost::Open(const Settings& settings, Clock& clock,
                                                   engine::SecretDesk& secrets) {
  const Settings::Ghost& ghost = settings.agent.ghost;
  std::unique_ptr<GhostHost> host(new GhostHost());
  host->setup_.settings = GhostSettingsFrom(ghost);
  host->setup_.settings.ocr.hidden = {settings.data.dir};
  TRY(agent::CheckOcrSettings(host->setup_.settings.ocr));
  TRY_ASSIGN(const json::array rows, SeeingRows(settings.agent.providers, ghost.vision_provider));
  if (!rows.empty()) {
    TRY_ASSIGN(host->vision_, agent::MakeProviders(clock, rows, agent::KeysFrom(&secrets)));
    host->setup_.vision = host->vision_.get();
  }
  if (ghost.enabled) host->gate_ = std::make_unique<agent::MarksGate>(host->setup_);
  return host;
}

}  // namespace falconer::app
