#include "model/state/delta.h"

#include <algorithm>

#include "model/state/delta_list.h"

namespace falconer::model {
namespace {

constexpr std::size_t kCharactersPerToken = 4;

// Cuts a delta to `limit` changes. What changed and what is new comes before what is gone: the
// reader must ask for the full state anyway, and until then sees what is there now.
template <typename T>
std::size_t Cut(ListDelta<T>& delta, std::size_t limit) {
  const std::size_t before = delta.size();
  if (limit == 0 || before <= limit || delta.replace) return 0;
  delta.order.clear();
  delta.updated.resize(std::min(delta.updated.size(), limit));
  delta.added.resize(std::min(delta.added.size(), limit - delta.updated.size()));
  delta.removed.resize(
      std::min(delta.removed.size(), limit - delta.updated.size() - delta.added.size()));
  return before - delta.size();
}

std::string_view WithoutFragment(std::string_view url) {
  return url.substr(0, url.find('#'));
}

// Refs end with their document. A page that had none to lose is another one when its address is.
bool IsAnotherPage(const ListDelta<ElementState>& delta, const StructuredState& prev,
                   const StructuredState& next) {
  if (prev.elements.empty()) return WithoutFragment(prev.url) != WithoutFragment(next.url);
  return delta.removed.size() == prev.elements.size();
}

void DiffLists(const StructuredState& prev, const StructuredState& next, StateDelta& delta) {
  ForEachDelta([&](const auto& row) {
    auto& list = delta.*row.delta;
    list = DiffList(prev.*row.list, next.*row.list);
    if (!list.empty()) delta.changed_sections.push_back(row.section);
  });
}

void CutLists(StateDelta& delta, DeltaLimits limits) {
  ForEachDelta(
      [&](const auto& row) { delta.omitted_ops += Cut(delta.*row.delta, limits.ops_per_section); });
  delta.truncated = delta.omitted_ops > 0;
}

void DiffPage(const StructuredState& prev, const StructuredState& next, StateDelta& delta) {
  delta.page = DiffFields(prev, next);
  const bool network_changed = delta.page.contains("network");
  if (delta.page.size() > (network_changed ? 1U : 0U)) {
    delta.changed_sections.push_back(Section::kPage);
  }
  if (network_changed) delta.changed_sections.push_back(Section::kNetwork);
}

void DiffHashes(const SectionHashes& prev, const SectionHashes& next, StateDelta& delta) {
  for (std::size_t i = 0; i < kSectionCount; ++i) {
    if (prev[i] == next[i]) continue;
    delta.hash_changes.push_back(
        {.section = static_cast<Section>(i), .from = prev[i], .to = next[i]});
  }
}

StateDelta Header(const StructuredState* prev, const StructuredState& next) {
  StateDelta delta{.new_state_id = next.state_id, .new_revision = next.revision};
  if (prev != nullptr) {
    delta.prev_state_id = prev->state_id;
    delta.prev_revision = prev->revision;
  }
  return delta;
}

StateDelta Estimated(StateDelta delta) {
  delta.token_estimate = json::serialize(delta.ToModelJson()).size() / kCharactersPerToken;
  return delta;
}

std::unexpected<Error> NeedsResync(std::string why) {
  return std::unexpected(Error(ErrorCode::kPreconditionFailed, std::move(why), {{"resync", true}}));
}

Result<void> CheckBase(const StructuredState& prev, const StateDelta& delta) {
  if (delta.truncated) return NeedsResync("delta is truncated");
  if (prev.state_id != delta.prev_state_id || prev.revision != delta.prev_revision) {
    return NeedsResync("base is " + prev.state_id + ", the delta needs " + delta.prev_state_id);
  }
  return {};
}

Decoded ApplyLists(const StructuredState& prev, const StateDelta& delta, StructuredState& out) {
  Decoded done;
  ForEachDelta([&](const auto& row) {
    const auto& list = delta.*row.delta;
    if (!done || list.empty()) return;
    done = ListPatch(prev.*row.list).Apply(list, out.*row.list);
    if (!done) done = std::unexpected(std::move(done).error().At(SectionName(row.section)));
  });
  return done;
}

// A delta that was damaged on its way must not pass for the state it names.
Result<void> CheckHashes(StructuredState& state, const StateDelta& delta) {
  for (const HashChange& change : delta.hash_changes) {
    TRY_ASSIGN(std::string hash, HashSection(state, change.section));
    if (hash != change.to) {
      return Fail(
          ErrorCode::kInvalidArgument,
          "delta does not lead to the " + std::string(SectionName(change.section)) + " it names");
    }
    state.hashes[static_cast<std::size_t>(change.section)] = std::move(hash);
  }
  return {};
}

}  // namespace

StateDelta Diff(const StructuredState* prev, const StructuredState& next, DeltaLimits limits) {
  StateDelta delta = Header(prev, next);
  if (prev != nullptr && prev->tab_id == next.tab_id) {
    DiffPage(*prev, next, delta);
    DiffLists(*prev, next, delta);
    DiffHashes(prev->hashes, next.hashes, delta);
    if (!IsAnotherPage(delta.elements, *prev, next)) {
      CutLists(delta, limits);
      return Estimated(std::move(delta));
    }
  }
  StateDelta replacing = Header(prev, next);
  replacing.full = next;
  return Estimated(std::move(replacing));
}

Result<StructuredState> Apply(const StructuredState& prev, const StateDelta& delta) {
  TRY(CheckBase(prev, delta));
  if (delta.full) {
    StructuredState out = *delta.full;
    out.prev_state_id = prev.state_id;
    return out;
  }
  StructuredState out = prev;
  if (Decoded done = ApplyFields(out, delta.page); !done) {
    return Fail(std::move(done).error().At("page").ToError("delta"));
  }
  if (Decoded done = ApplyLists(prev, delta, out); !done) {
    return Fail(std::move(done).error().ToError("delta"));
  }
  out.prev_state_id = prev.state_id;
  out.state_id = delta.new_state_id;
  out.revision = delta.new_revision;
  TRY(CheckHashes(out, delta));
  return out;
}

}  // namespace falconer::model
