#include "api/http/ledger_tail.h"

#include <utility>

#include "api/tools/aside.h"
#include "base/log.h"
#include "ledger/reader.h"

namespace falconer::api {
namespace {

constexpr std::size_t kMostKept = 1024;
constexpr std::size_t kPageOfTail = 256;
// Other programs write the same chain without saying so here.
constexpr auto kLookAgain = std::chrono::seconds(1);
constexpr std::size_t kShortText = 256;

bool IsShort(const json::value& value) {
  if (value.is_string()) return value.get_string().size() <= kShortText;
  return value.is_primitive() && !value.is_null();
}

// What a record says in a few words: whose it is, and what came of it.
json::object ShortFacts(const json::object& record) {
  json::object facts;
  for (const char* name : {"seq", "kind", "time_ms"}) facts[name] = record.at(name);
  for (const auto& [name, value] : record.at("payload").as_object())
    if (IsShort(value)) facts[name] = value;
  return facts;
}

struct TailPage {
  std::uint64_t last = 0;
  std::vector<json::object> records;
};

Result<TailPage> ReadTail(const OwnChain& chain, std::uint64_t from, std::size_t most) {
  auto reader = ledger::ChainReader::Open(chain.folder());
  // Nothing was done yet.
  if (!reader && reader.error().code() == ErrorCode::kNotFound) return TailPage();
  if (!reader) return std::unexpected(reader.error());
  TailPage page;
  TRY_ASSIGN(page.last, reader->LastSeq());
  if (most == 0 || page.last < from) return page;
  TRY_ASSIGN(const auto found, reader->Query({}, from, most));
  for (const ledger::StoredRecord& record : found.records) {
    TRY_ASSIGN(const json::object row, ledger::RecordToJson(record.view()));
    page.records.push_back(ShortFacts(row));
  }
  return page;
}

std::shared_ptr<const TailRecord> Told(json::object facts, ViewGuard& guard) {
  guard.Clean(facts);
  return std::make_shared<TailRecord>(TailRecord{.seq = facts.at("seq").to_number<std::uint64_t>(),
                                                 .kind = TextAt(facts, "kind"),
                                                 .facts = json::serialize(facts)});
}

}  // namespace

LedgerTail::LedgerTail(Executor executor, Clock& clock) : ctx_(executor, clock), tasks_(executor) {
}

Task<Result<std::uint64_t>> LedgerTail::Last(CallContext ctx, ToolRooms rooms) {
  CO_TRY_ASSIGN(const TailPage page, co_await Aside(std::move(ctx), [chain = OwnChain::Of(rooms)] {
                  return ReadTail(chain, 1, 0);
                }));
  co_return page.last;
}

Task<Result<std::vector<LedgerTail::RecordPtr>>> LedgerTail::After(CallContext ctx, ToolRooms rooms,
                                                                   ViewGuard* guard,
                                                                   std::uint64_t after) {
  Begin(rooms, guard);
  CO_TRY(co_await changes_.Until(
      ctx, [this, after] { return last_ > after || is_stopping_; }, "the next record"));
  if (is_stopping_) co_return Fail(ErrorCode::kSessionClosed, "the server ends");
  std::vector<RecordPtr> told = KeptAfter(after);
  if (!told.empty()) co_return told;
  CO_TRY_ASSIGN(TailPage page, co_await Aside(std::move(ctx), [chain = OwnChain::Of(rooms), after] {
                  return ReadTail(chain, after + 1, kPageOfTail);
                }));
  if (page.records.empty())
    co_return Fail(ErrorCode::kNotFound, "the record after that one is not there any more");
  for (json::object& facts : page.records) told.push_back(Told(std::move(facts), *guard));
  co_return told;
}

void LedgerTail::Begin(const ToolRooms& rooms, ViewGuard* guard) {
  if (is_stopping_ || std::exchange(is_following_, true)) return;
  heard_ = rooms.runtime->parts().ledger.OnAppend([this] {
    is_behind_ = true;
    changes_.NotifyAll();
  });
  tasks_.Spawn("http.tail", Follow(this, OwnChain::Of(rooms), guard));
}

Task<void> LedgerTail::Follow(LedgerTail* self, OwnChain chain, ViewGuard* guard) {
  while (!self->is_stopping_) {
    const auto read = co_await self->Advance(self->ctx_, chain, guard);
    if (!read) LOG(warn, "events.ledger_unread", {"why", Describe(read.error())});
    (void)co_await self->changes_.Until(
        self->ctx_.WithTimeout(kLookAgain),
        [self] { return self->is_behind_ || self->is_stopping_; }, "records");
  }
}

Task<Result<void>> LedgerTail::Advance(CallContext ctx, OwnChain chain, ViewGuard* guard) {
  is_behind_ = false;
  // What was there before anybody followed is read by who asks for it.
  const std::uint64_t from = kept_.empty() ? last_ + 1 : kept_.back()->seq + 1;
  const std::size_t most = last_ == 0 ? 0 : kPageOfTail;
  CO_TRY_ASSIGN(TailPage page,
                co_await Aside(std::move(ctx), [chain = std::move(chain), from, most] {
                  return ReadTail(chain, from, most);
                }));
  for (json::object& facts : page.records) {
    kept_.push_back(Told(std::move(facts), *guard));
    if (kept_.size() > kMostKept) kept_.pop_front();
  }
  last_ = most == 0 ? page.last : kept_.empty() ? last_ : kept_.back()->seq;
  if (last_ < page.last) is_behind_ = true;
  changes_.NotifyAll();
  co_return Result<void>();
}

std::vector<LedgerTail::RecordPtr> LedgerTail::KeptAfter(std::uint64_t after) const {
  const bool is_there =
      !kept_.empty() && after + 1 >= kept_.front()->seq && after < kept_.back()->seq;
  if (!is_there) return {};
  const auto from = kept_.begin() + static_cast<std::ptrdiff_t>(after + 1 - kept_.front()->seq);
  return {from, kept_.end()};
}

Task<void> LedgerTail::Stop() {
  is_stopping_ = true;
  changes_.NotifyAll();
  co_await tasks_.Join();
}

}  // namespace falconer::api
