#pragma once
// PredictionStore: what was learnt of what is done in browsers, per tenant. Nothing in it was typed
// by anybody: actions are known by their signatures, and an address is kept as its pattern. Calls
// behave as those of ControlStore; what they write outlives the process, and may be lost with the
// power.

#include <cstdint>
#include <string>
#include <vector>

#include "base/async/task.h"
#include "base/ids.h"
#include "base/json/json_reader.h"

namespace falconer::store {

// Who did it. What was only predicted never counts as if a person or an agent had chosen it.
enum class DoneBy : std::uint8_t { kPerson, kAgent, kPrediction };

inline constexpr EnumName<DoneBy> kDoers[] = {
    {DoneBy::kPerson, "person"},
    {DoneBy::kAgent, "agent"},
    {DoneBy::kPrediction, "prediction"},
};

// An action that was seen, and how often it went well. `symbol` is the first 64 bits of the
// SHA-256 of its signature.
struct SeenAction {
  std::uint64_t symbol = 0;
  std::string signature;
  json::object action;  // how to do it again: a template without anything that was typed
  std::string page;     // pattern of the address where it was done
  DoneBy by = DoneBy::kAgent;
  bool succeeded = true;
  std::int64_t at_ms = 0;
};

// The same as it is kept.
struct KnownAction {
  std::uint64_t symbol = 0;
  std::string signature;
  json::object action;
  std::string page;
  std::int64_t by_person = 0;
  std::int64_t by_agent = 0;
  std::int64_t by_prediction = 0;
  std::int64_t failed = 0;
  std::int64_t last_ms = 0;
};

// One step of a sequence: what came after what. A symbol of 0 is the beginning (as `from`), or the
// end (as `to`) of a sequence.
struct SeenTransition {
  std::uint64_t from_before = 0;  // before `from`
  bool has_two = false;           // whether `from_before` is known
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  DoneBy by = DoneBy::kAgent;
};

struct TopTransition {
  std::string from;  // signatures; "" for the beginning or the end
  std::string to;
  std::uint64_t from_symbol = 0;
  std::uint64_t to_symbol = 0;
  double count = 0;
  double from_count = 0;  // of everything that came after `from`
};

// What the predictor counts: in a context (a digest of what came before, and where) came this.
// Counts are weighed down with time, so they are no whole numbers. Each node that learns has rows
// of its own: merging twice changes nothing. A row that counts nothing was forgotten.
struct ContextRow {
  std::uint64_t context = 0;
  std::uint64_t next = 0;
  float by_person = 0;
  float by_agent = 0;
  std::int32_t day = 0;  // since 1970, of the last count
  bool operator==(const ContextRow&) const = default;
};

// What was learnt since the last one: all of it is written, or nothing.
struct LearntBatch {
  TenantId tenant;
  std::string node;  // who learnt; two programs that run at the same time are two nodes
  std::vector<SeenAction> actions;
  std::vector<SeenTransition> transitions;
  // New values, not differences.
  std::vector<ContextRow> contexts;
};

// What the nodes counted. Only what is a node's own may be written as its own again: else what
// others counted would count twice.
struct LearntContexts {
  std::vector<ContextRow> own;
  // Of all other nodes, one after the other; several may have the same context.
  std::vector<ContextRow> others;
};

// How much is kept of what was learnt.
struct LearntBound {
  std::size_t actions = 10'000;
  // Rows of contexts of all nodes together, and transitions of each order.
  std::size_t contexts = 1'000'000;
};

class PredictionStore {
 public:
  virtual ~PredictionStore() = default;

  // kInvalidArgument, with nothing written, for a batch without tenant or node and for counts that
  // are none.
  virtual Task<Result<void>> PutLearnt(LearntBatch batch) = 0;
  virtual Task<Result<LearntContexts>> LoadContexts(TenantId tenant, std::string node) = 0;
  // Replaces what is kept of that node; without rows it is forgotten. Refuses what PutLearnt does.
  virtual Task<Result<void>> PutNode(TenantId tenant, std::string node,
                                     std::vector<ContextRow> rows) = 0;
  // The one that was done last first; of equals the one with the lesser symbol.
  virtual Task<Result<std::vector<KnownAction>>> LoadActions(TenantId tenant) = 0;
  // Of first order, most frequent first; of equals the one with the lesser symbols.
  virtual Task<Result<std::vector<TopTransition>>> TopTransitions(TenantId tenant,
                                                                  std::size_t most) = 0;
  // Forgets actions that were not done for the longest time, and the transitions to and from them,
  // then transitions and rows that were not counted for the longest time, until so many are left.
  // Rows may be half as many more for a while.
  virtual Task<Result<void>> BoundLearnt(TenantId tenant, LearntBound bound) = 0;
  // Forgets everything that was learnt for the tenant.
  virtual Task<Result<void>> ForgetLearnt(TenantId tenant) = 0;
};

}  // namespace falconer::store
