#include "agent/ghost/ghost_result.h"

namespace falconer::agent {
namespace {

void PutGhostText(json::object& out, std::string_view key, const std::string& text) {
  if (!text.empty()) out[key] = text;
}

void PutGhostError(json::object& out, const Error& error) {
  out["error"] = std::string(error.message());
  out["error_code"] = error.name();
}

}  // namespace

json::object GhostResult::ToJson() const {
  json::object out{{"success", success},
                   {"url", url},
                   {"content", content},
                   {"render_mode", NameIn(kRenderModes, render_mode)},
                   {"capture_ms", capture.count()},
                   {"extraction_ms", extraction.count()},
                   {"total_ms", total.count()},
                   {"tries", tries},
                   {"blocked_content", blocked_content},
                   {"truncated", truncated}};
  PutGhostText(out, "title", title);
  if (status != 0) out["status"] = status;
  if (block) {
    out["block_signal"] = NameIn(kBlockSignals, block->signal);
    out["block_reason"] = block->reason;
    out["block_confidence"] = block->confidence;
  }
  PutGhostText(out, "provider", provider);
  if (cost_micros != 0) out["cost_micros"] = cost_micros;
  PutGhostText(out, "screenshot", screenshot);
  PutGhostText(out, "workflow", workflow);
  PutGhostText(out, "session", session);
  if (error) PutGhostError(out, *error);
  return out;
}

}  // namespace falconer::agent
