#include "predict/learn/learner.h"

#include <utility>

#include "base/log.h"

namespace falconer::predict {
namespace {

// How long what was learnt may wait for more to be kept with it.
constexpr auto kSaveEvery = std::chrono::seconds(1);
// The store looks through all that is kept to bound it.
constexpr std::uint64_t kBoundEvery = 64;
constexpr std::size_t kMaxWaiting = 10'000;

}  // namespace

Learner::Learner(LearnerParts parts, PredictMeter& meter)
    : parts_(std::move(parts)),
      meter_(meter),
      wake_(parts_.executor, parts_.clock),
      pause_(parts_.executor, parts_.clock),
      tasks_(parts_.executor) {
  tasks_.Spawn("predict.keep", KeepUp(this));
}

Learner::~Learner() = default;

void Learner::Note(const TenantId& tenant, std::string session, LearntStep done) {
  WhenLoaded(tenant, [session = std::move(session), done = std::move(done)](TenantModel& model) {
    model.Note(session, done);
  });
}

void Learner::EndSequence(const TenantId& tenant, const std::string& session) {
  // Nothing is known of a session of which nothing was noted.
  if (!rooms_.contains(tenant)) return;
  WhenLoaded(tenant, [session](TenantModel& model) { model.EndSequence(session); });
}

void Learner::Teach(const TenantId& tenant, LearnedWorkflow workflow, int times) {
  WhenLoaded(tenant, [this, workflow = std::move(workflow), times](TenantModel& model) {
    model.Teach(workflow, times, parts_.clock.WallNow());
  });
}

// Whoever tells something does not wait until it is learnt: his turn is to be answered.
void Learner::WhenLoaded(const TenantId& tenant, std::function<void(TenantModel&)> then) {
  Room& room = rooms_[tenant];
  if (room.waiting.size() < kMaxWaiting) room.waiting.push_back(std::move(then));
  if (room.model) {
    wake_.Signal();
  } else if (!std::exchange(room.is_loading, true)) {
    tasks_.Spawn("predict.load", Load(this, tenant));
  }
}

void Learner::Learn(Room& room) {
  if (!room.model) return;
  for (const auto& then : std::exchange(room.waiting, {})) then(*room.model);
}

std::unique_ptr<TenantModel> Learner::NewModel() const {
  return std::make_unique<TenantModel>(parts_.options, meter_, parts_.max_actions);
}

Task<void> Learner::Load(Learner* self, TenantId tenant) {
  const auto contexts = co_await self->parts_.learnt.LoadContexts(tenant, self->parts_.node);
  auto actions = co_await self->parts_.learnt.LoadActions(tenant);
  Room& room = self->rooms_[tenant];
  room.is_loading = false;
  if (contexts && actions) {
    room.failure = std::nullopt;
    room.model = self->NewModel();
    room.model->Load(*contexts, *std::move(actions));
    self->wake_.Signal();
  } else {
    room.failure = contexts ? actions.error() : contexts.error();
    LOG(warn, "predict.not_loaded", {"why", Describe(*room.failure)});
  }
  self->changes_.NotifyAll();
}

const TenantModel* Learner::Now(const TenantId& tenant) const {
  const auto found = rooms_.find(tenant);
  return found == rooms_.end() ? nullptr : found->second.model.get();
}

Task<Result<void>> Learner::Ready(CallContext ctx, TenantId tenant) {
  WhenLoaded(tenant, [](TenantModel&) {});
  CO_TRY(ctx.StillWanted("what was learnt"));
  CO_TRY(co_await changes_.Until(
      std::move(ctx), [this, tenant] { return !rooms_[tenant].is_loading; },
      "what was learnt to be loaded"));
  Room& room = rooms_[tenant];
  Learn(room);
  if (room.model) co_return Result<void>();
  co_return Fail(room.failure.value_or(Error(ErrorCode::kCancelled, "it was forgotten meanwhile")));
}

Task<void> Learner::KeepUp(Learner* self) {
  while (!self->is_stopping_) {
    (void)co_await self->wake_.Wait(Deadline::Never());
    if (self->is_stopping_) co_return;
    for (auto& [tenant, room] : self->rooms_) Learn(room);
    // More comes soon after the first.
    (void)co_await self->pause_.Wait(Deadline::At(self->parts_.clock.Now() + kSaveEvery));
    std::vector<TenantId> tenants;
    for (const auto& [tenant, room] : self->rooms_) tenants.push_back(tenant);
    for (const TenantId& tenant : tenants) {
      Room& room = self->rooms_[tenant];
      const auto saved = co_await self->Save(tenant, &room);
      if (!saved && room.is_kept) LOG(warn, "predict.not_kept", {"why", Describe(saved.error())});
      room.is_kept = saved.has_value();
      // It is tried again, also when nothing more is learnt.
      if (!saved) self->wake_.Signal();
    }
  }
}

Task<Result<void>> Learner::Save(TenantId tenant, Room* room) {
  // What is being forgotten must not come back.
  if (room->is_loading) co_return Result<void>();
  Learn(*room);
  // What is being forgotten is not written once more.
  if (room->is_saving || room->is_loading || !room->model || !room->model->has_news())
    co_return Result<void>();
  room->is_saving = true;
  store::LearntBatch batch = room->model->TakeNews();
  batch.tenant = tenant;
  batch.node = parts_.node;
  auto saved = co_await parts_.learnt.PutLearnt(batch);
  room->is_saving = false;
  if (!saved && room->model) room->model->GiveBack(std::move(batch));
  changes_.NotifyAll();
  if (!saved || room->saves++ % kBoundEvery != 0) co_return saved;
  co_return co_await parts_.learnt.BoundLearnt(
      tenant, {.actions = parts_.max_actions, .contexts = parts_.options.max_transitions});
}

Task<Result<void>> Learner::Idle(CallContext ctx, const Room* room) {
  return changes_.Until(
      std::move(ctx), [room] { return !room->is_saving && !room->is_loading; },
      "what was learnt to be kept");
}

Task<Result<void>> Learner::Flush(CallContext ctx, TenantId tenant) {
  Room* room = &rooms_[tenant];
  CO_TRY(co_await Idle(std::move(ctx), room));
  co_return co_await Save(std::move(tenant), room);
}

Task<Result<void>> Learner::LoadAgain(CallContext ctx, TenantId tenant) {
  CO_TRY(co_await Flush(ctx, tenant));
  Room& room = rooms_[tenant];
  // Somebody else may have begun meanwhile.
  CO_TRY(co_await Idle(ctx, &room));
  room.model = nullptr;
  room.is_loading = true;
  co_await Load(this, tenant);
  co_return co_await Ready(std::move(ctx), std::move(tenant));
}

Task<Result<void>> Learner::Forget(CallContext ctx, TenantId tenant) {
  Room* room = &rooms_[tenant];
  CO_TRY(co_await Idle(std::move(ctx), room));
  room->is_loading = true;
  auto forgotten = co_await parts_.learnt.ForgetLearnt(std::move(tenant));
  room->is_loading = false;
  if (forgotten && room->model) room->model = NewModel();
  wake_.Signal();
  changes_.NotifyAll();
  co_return forgotten;
}

Task<void> Learner::Stop() {
  is_stopping_ = true;
  wake_.Signal();
  pause_.Signal();
  // Not broken off: a batch that is under way would be written twice.
  co_await tasks_.Join();
  for (auto& [tenant, room] : rooms_) {
    const auto saved = co_await Save(tenant, &room);
    if (!saved) LOG(warn, "predict.not_kept", {"why", Describe(saved.error())});
  }
}

std::size_t Learner::transitions() const {
  std::size_t count = 0;
  for (const auto& [tenant, room] : rooms_)
    if (room.model) count += room.model->predictor().transitions();
  return count;
}

std::size_t Learner::actions() const {
  std::size_t count = 0;
  for (const auto& [tenant, room] : rooms_)
    if (room.model) count += room.model->actions();
  return count;
}

}  // namespace falconer::predict
