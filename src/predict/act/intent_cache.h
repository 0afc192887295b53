#pragma once
// IntentCache: answers to instructions that were verified, so that the same instruction on the same
// page costs no search. What was typed is in none of them.

#include <string>
#include <vector>

#include "predict/act/intent_words.h"
#include "predict/workflows/learned_workflow.h"
#include "store/workflow_store.h"

namespace falconer::predict {

inline constexpr std::int64_t kIntentVersion = 1;
inline constexpr std::size_t kMostIntents = 10'000;  // of a tenant

struct CachedIntent {
  // One step, with {text} for what is typed.
  WorkflowStep step;
  // Of what could be acted on when it was verified.
  std::string elements_hash;
  std::string turn;  // where it was verified
  std::string ranker;
  double score = 0;
  std::int64_t at_ms = 0;

  json::object ToJson() const;
  // Strict. kInvalidArgument.
  static Result<CachedIntent> FromJson(const json::value& value);
};

// Where an instruction is given.
struct IntentPlace {
  std::string page;         // pattern of the address
  std::string environment;  // the caller's own word for where it is
};

// 64 hex digits of SHA-256 over the instruction without what is typed, the place and the version.
std::string IntentKey(const IntentWords& words, const IntentPlace& place);

// 64 hex digits over the roles, names and frames of what can be acted on, whatever its order and
// whatever numbers it shows.
std::string ElementsHash(const std::vector<engine::SeenElement>& seen);

class IntentCache {
 public:
  // Both must outlive this.
  IntentCache(store::WorkflowStore& store, Clock& clock) : store_(store), clock_(clock) {}

  // Nothing when there is none, or one of another version or form: that is dropped. Fails as the
  // store does.
  Task<Result<std::optional<CachedIntent>>> Find(TenantId tenant, std::string key);
  Task<Result<void>> Put(TenantId tenant, std::string key, CachedIntent intent);
  Task<Result<void>> Drop(TenantId tenant, std::string key);

 private:
  std::int64_t NowMs() const;

  store::WorkflowStore& store_;
  Clock& clock_;
};

}  // namespace falconer::predict
