#pragma once
// Learner: what is learnt, for all tenants: loaded from the store when it is first needed, and kept
// there in batches, soon after it was learnt. Nobody waits for either. On one event loop.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/async/alarm.h"
#include "base/async/notifier.h"
#include "base/async/task_scope.h"
#include "predict/learn/tenant_model.h"

namespace falconer::predict {

struct LearnerParts {
  store::PredictionStore& learnt;
  Clock& clock;
  Executor executor;
  std::string node;
  PredictorOptions options;
  // Most actions that are kept of a tenant.
  std::size_t max_actions = 10'000;
};

class Learner {
 public:
  // What the parts refer to, and the meter, must outlive the learner.
  Learner(LearnerParts parts, PredictMeter& meter);
  // Stop() must have ended first.
  ~Learner();
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  // Never waits: what comes before the tenant's model is loaded is taken up once it is.
  void Note(const TenantId& tenant, std::string session, LearntStep done);
  void EndSequence(const TenantId& tenant, const std::string& session);

  // What recordings say, so many times.
  void Teach(const TenantId& tenant, LearnedWorkflow workflow, int times);

  // The model is loaded when this returns. Fails as the store does, and like ctx.
  Task<Result<void>> Ready(CallContext ctx, TenantId tenant);
  // The model as it is now; null when it is not loaded. Good until something is awaited.
  const TenantModel* Now(const TenantId& tenant) const;
  // What others have counted is known from now on. What was done last in sessions is forgotten.
  Task<Result<void>> LoadAgain(CallContext ctx, TenantId tenant);
  // Everything that was noted is in the store. Fails as the store does.
  Task<Result<void>> Flush(CallContext ctx, TenantId tenant);
  // Forgets what is known, here and in the store.
  Task<Result<void>> Forget(CallContext ctx, TenantId tenant);
  // Writes what is not kept yet, and ends.
  Task<void> Stop();

  const LearnerParts& parts() const { return parts_; }
  // Of all tenants that were needed so far.
  std::size_t transitions() const;
  std::size_t actions() const;

 private:
  struct Room {
    std::unique_ptr<TenantModel> model;  // null until it is loaded
    std::optional<Error> failure;        // why it could not be
    bool is_loading = false;
    bool is_saving = false;
    bool is_kept = true;  // what was learnt last could be kept
    std::uint64_t saves = 0;
    std::vector<std::function<void(TenantModel&)>> waiting;
  };

  void WhenLoaded(const TenantId& tenant, std::function<void(TenantModel&)> then);
  std::unique_ptr<TenantModel> NewModel() const;
  // Takes up what was told.
  static void Learn(Room& room);
  static Task<void> Load(Learner* self, TenantId tenant);
  static Task<void> KeepUp(Learner* self);
  Task<Result<void>> Save(TenantId tenant, Room* room);
  // Waits until nobody loads, saves or forgets.
  Task<Result<void>> Idle(CallContext ctx, const Room* room);

  LearnerParts parts_;
  PredictMeter& meter_;
  std::map<TenantId, Room> rooms_;
  Notifier changes_;
  Alarm wake_;
  Alarm pause_;
  bool is_stopping_ = false;
  TaskScope tasks_;
};

}  // namespace falconer::predict
