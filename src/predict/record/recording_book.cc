#include "predict/record/recording_book.h"

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "base/random.h"
#include "predict/learn/learnable.h"
#include "predict/signature.h"
#include "predict/workflows/workflow_shelf.h"

namespace falconer::predict {
namespace {

constexpr std::size_t kMaxOpenRecordings = 64;
// More than a workflow can have: typing and focus become fewer steps.
constexpr std::size_t kMaxRecordedSteps = 2000;

using enum model::ActionType;

// What pages tell of as well when a person's turn does it; the turn knows it better.
constexpr model::ActionType kToldTwice[] = {kNavigate, kGoBack, kGoForward, kReload,
                                            kNewTab,   kUpload, kCloseTab};
// What is done with no input that a page could tell of.
constexpr model::ActionType kUnseen[] = {kSelect, kFill, kClear, kDownloadTrigger, kHandleDialog};

bool IsToldTwice(model::ActionType type) {
  return std::ranges::find(kToldTwice, type) != std::end(kToldTwice);
}

bool IsToldByPages(model::ActionType type) {
  return !IsToldTwice(type) && std::ranges::find(kUnseen, type) == std::end(kUnseen);
}

// Two ways of typing into the same field are one.
std::string FieldOf(const std::optional<model::Fingerprint>& element) {
  model::ActionSpec typing{.type = kFill};
  return element ? SignatureOf({.spec = typing, .element = &*element}) : "";
}

bool TypesNamedSecret(const model::ActionSpec& spec) {
  return spec.text && spec.text->is_secret();
}

// Where a step led to is where the next one begins, or where the recording ended.
void FillInPlaces(std::vector<RecordedStep>& steps, const std::string& end) {
  for (std::size_t at = 0; at < steps.size(); ++at) {
    if (!steps[at].url_after.empty()) continue;
    steps[at].url_after = at + 1 < steps.size() ? steps[at + 1].url_before : end;
  }
}

}  // namespace

RecordedStep StepOf(const engine::WatchedTurn& turn) {
  const model::ActionContract& contract = turn.contract;
  RecordedStep step{
      .spec = contract.action_spec,
      .waits = contract.wait_conditions,
      .rules = contract.expected_postconditions,
      .element = turn.element,
      .url_before = turn.page_before,
      .url_after = turn.page_after,
      .by = turn.caller.person.empty() ? store::DoneBy::kAgent : store::DoneBy::kPerson};
  step.rules.insert(step.rules.end(), contract.verification_rules.begin(),
                    contract.verification_rules.end());
  return step;
}

Task<Result<OpenRecording>> RecordingBook::Begin(CallContext ctx, engine::Runtime* runtime,
                                                 TenantId tenant, RecordWish wish) {
  CO_TRY(CheckWorkflowName(wish.workflow));
  const browser::SessionKey key{.tenant = tenant, .workflow = WorkflowId(wish.session)};
  if (const Open* open = Find(key)) {
    co_return Fail(ErrorCode::kAlreadyExists,
                   "the session is recorded already, by " + open->recording.id);
  }
  if (!MakeRoom()) co_return Fail(ErrorCode::kQueueFull, "too many recordings are under way");
  const std::string id = "rec-" + RandomHex(8);
  Open& open = open_[id];
  open.key = key;
  open.recording = {.id = id,
                    .workflow = wish.workflow,
                    .at_ms = std::chrono::duration_cast<std::chrono::milliseconds>(
                                 clock_.WallNow().time_since_epoch())
                                 .count()};
  auto pages = co_await engine::RecordPages(
      std::move(ctx), runtime, key,
      [this, key](engine::RecordedInput input) { OnPage(key, std::move(input)); });
  const auto found = open_.find(id);
  if (found == open_.end()) co_return Fail(ErrorCode::kCancelled, "the recording was dropped");
  if (!pages) {
    open_.erase(found);
    co_return Fail(pages.error());
  }
  found->second.pages = *std::move(pages);
  co_return TellOf(found->second);
}

bool RecordingBook::MakeRoom() {
  if (open_.size() < kMaxOpenRecordings) return true;
  auto oldest = open_.end();
  for (auto one = open_.begin(); one != open_.end(); ++one) {
    const bool is_older =
        oldest == open_.end() || one->second.recording.at_ms < oldest->second.recording.at_ms;
    if (one->second.is_over && !one->second.is_taken && is_older) oldest = one;
  }
  if (oldest == open_.end()) return false;
  LOG(warn, "predict.recording_lost", {"recording", oldest->first});
  open_.erase(oldest);
  return true;
}

Result<RecordingBook::Open*> RecordingBook::FindOpen(const TenantId& tenant,
                                                     const std::string& id) {
  const auto found = open_.find(id);
  if (found != open_.end() && found->second.key.tenant == tenant && !found->second.is_taken)
    return &found->second;
  return Fail(ErrorCode::kNotFound, "there is no recording \"" + id + "\" under way");
}

Task<Result<void>> RecordingBook::Flush(CallContext ctx, engine::Runtime* runtime, TenantId tenant,
                                        std::string id) {
  CO_TRY_ASSIGN(const Open* open, FindOpen(tenant, id));
  const auto flushed = co_await engine::FlushRecording(std::move(ctx), runtime, open->key);
  // A session that is gone has told all it could.
  if (!flushed && flushed.error().code() != ErrorCode::kNotFound) co_return flushed;
  co_return Result<void>();
}

Result<Recording> RecordingBook::Take(const TenantId& tenant, const std::string& id) {
  TRY_ASSIGN(Open * open, FindOpen(tenant, id));
  // Before the steps are taken: what was typed last comes with the end.
  open->pages.Reset();
  open->is_over = true;
  open->is_taken = true;
  FillInPlaces(open->recording.steps, open->url);
  return open->recording;
}

void RecordingBook::GiveBack(const std::string& id) {
  if (const auto found = open_.find(id); found != open_.end()) found->second.is_taken = false;
}

std::vector<OpenRecording> RecordingBook::List(const TenantId& tenant) const {
  std::vector<OpenRecording> all;
  for (const auto& [id, open] : open_)
    if (open.key.tenant == tenant && !open.is_taken) all.push_back(TellOf(open));
  return all;
}

OpenRecording RecordingBook::TellOf(const Open& open) {
  return {.id = open.recording.id,
          .workflow = open.recording.workflow,
          .session = open.key.workflow.value(),
          .steps = open.recording.steps.size(),
          .began_ms = open.recording.at_ms};
}

RecordingBook::Open* RecordingBook::Find(const browser::SessionKey& key) {
  for (auto& [id, open] : open_)
    if (!open.is_over && open.key == key) return &open;
  return nullptr;
}

const RecordingBook::Open* RecordingBook::Find(const browser::SessionKey& key) const {
  for (const auto& [id, open] : open_)
    if (!open.is_over && open.key == key) return &open;
  return nullptr;
}

void RecordingBook::Add(Open& open, RecordedStep step) {
  if (open.recording.steps.size() < kMaxRecordedSteps)
    open.recording.steps.push_back(std::move(step));
}

void RecordingBook::OnTurn(const engine::WatchedTurn& turn) {
  Open* open = Find(turn.key);
  if (open == nullptr || !turn.result.success) return;
  const model::ActionSpec& spec = turn.contract.action_spec;
  const bool is_persons = !turn.caller.person.empty();
  if (is_persons && TypesNamedSecret(spec)) {
    open->secret_field = FieldOf(turn.element);
  } else if (is_persons && IsToldByPages(spec.type)) {
    return;
  }
  if (IsLearnable(spec)) Add(*open, StepOf(turn));
}

bool RecordingBook::IsTold(Open& open, const engine::RecordedInput& input) {
  if (input.person.empty()) return false;
  if (IsToldTwice(input.spec.type)) return true;
  const bool is_field =
      input.is_secret && !open.secret_field.empty() && FieldOf(input.element) == open.secret_field;
  if (is_field) open.secret_field.clear();
  return is_field;
}

void RecordingBook::OnPage(const browser::SessionKey& key, engine::RecordedInput input) {
  Open* open = Find(key);
  if (open == nullptr || IsTold(*open, input)) return;
  Add(*open, {.spec = std::move(input.spec),
              .element = std::move(input.element),
              .is_secret = input.is_secret,
              .url_before = std::move(input.url),
              .by = store::DoneBy::kPerson});
}

void RecordingBook::OnSessionClosed(const browser::SessionKey& key) {
  if (Open* open = Find(key)) {
    open->is_over = true;
    open->pages.Reset();
  }
}

}  // namespace falconer::predict
