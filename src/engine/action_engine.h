#pragma once
// ActionEngine: carries out one contract in one session. Preconditions first; waits armed before
// the act; attempts inside the contract's time; then what the page shows, and whether every rule
// holds. It never fails: how it went is in the result, from observed facts only.

#include <functional>

#include "browser/context/artifact_record.h"
#include "engine/drive_kit.h"
#include "engine/reveal_secret.h"
#include "engine/turn_timeline.h"
#include "engine/vision/vision_gate.h"
#include "model/contract/contract.h"
#include "model/contract/guards.h"
#include "model/contract/result.h"
#include "model/fingerprint/fingerprint.h"
#include "model/policy_facts.h"

namespace falconer::engine {

// A file of the session's folder.
struct LeftFile {
  browser::ArtifactKind kind = browser::ArtifactKind::kCapture;
  std::string file;
  std::string name;  // for people
};

struct EngineInput {
  const model::ActionContract& contract;
  const model::DerivedGuards& guards;
  // Awaited once, before the first thing leaves that can have an effect: it makes durable that the
  // effect may now have happened. When it fails, nothing leaves, and no secret was asked for.
  std::function<Task<Result<void>>()> before_effect;
  // Awaited in each attempt, after everything that it meets was asked about and before anything of
  // it leaves; when it fails, nothing does. May be empty.
  std::function<Task<Result<void>>()> before_attempt = {};
  // Asked about every element the action is about to meet, before anything leaves for it; when it
  // fails, nothing leaves. May be empty.
  std::function<Task<Result<void>>(const model::ElementFacts& met)> meets = {};
  // Told what the element is known by that the action is about, each time it is met. May be empty:
  // then the page is not asked.
  std::function<void(model::Fingerprint)> known_by = {};
  // Cancelled when something was refused that the action is for: then nothing more is waited for.
  CancelToken refused = {};
  // Takes a file that the action left in the session's folder among the tenant's artifacts. Without
  // it such files stay where they are.
  std::function<Result<model::ResultArtifact>(const LeftFile& file)> keep;
  // Without it texts and rules that name secrets fail.
  RevealSecret reveal = {};
  // Looks for a target that was not found, where the contract escalates to that. May be null.
  VisionGate* vision = nullptr;
  // Told when attempts and their phases were. May be null.
  TurnTimeline* timeline = nullptr;
};

// Carries out the contract. Everything passed must outlive the call.
Task<model::ActionExecutionResult> CarryOut(CallContext ctx, DriveKit* kit,
                                            const EngineInput* input);

// Looks again at what a contract should have brought about, without doing anything: for an action
// of which nobody knows whether it happened.
Task<model::VerificationReport> Reobserve(CallContext ctx, DriveKit* kit,
                                          const model::ActionContract* contract);

}  // namespace falconer::engine
