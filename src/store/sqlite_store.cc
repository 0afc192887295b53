#include "store/sqlite_store.h"

#include <map>
#include <mutex>

#include "base/async/reply.h"
#include "base/log.h"
#include "store/action_cache.h"
#include "store/sqlite/action_table.h"
#include "store/sqlite/approval_table.h"
#include "store/sqlite/breaker_table.h"
#include "store/sqlite/group_commit.h"
#include "store/sqlite/head_table.h"
#include "store/sqlite/lease_table.h"
#include "store/sqlite/pause_table.h"
#include "store/sqlite/quota_table.h"
#include "store/sqlite/rate_table.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/token_table.h"

namespace falconer::store {
namespace {

// The transaction that a caller's job sees. What it puts reaches the cache only after the commit.
class SqliteTransaction final : public StoreTransaction {
 public:
  SqliteTransaction(Database& database, std::uint64_t max_actions)
      : database_(database), max_actions_(max_actions) {}

  Result<void> PutActions(const ActionBatch& batch) override {
    put_.insert(put_.end(), batch.actions.begin(), batch.actions.end());
    return store::PutActions(database_, batch, max_actions_);
  }

  std::vector<IndexedAction> TakePut() { return std::move(put_); }

 private:
  Database& database_;
  std::uint64_t max_actions_;
  std::vector<IndexedAction> put_;
};

Result<std::unique_ptr<Database>> OpenWriter(const std::filesystem::path& path, Clock& clock,
                                             const SqliteOptions& options) {
  TRY_ASSIGN(auto database, Database::OpenShared(path, options.patience));
  TRY(Migrate(*database, clock.WallNow()));
  return database;
}

void RunEach(Database& database, std::vector<DatabaseJob> batch) {
  for (DatabaseJob& job : batch) job.done(job.work(database));
}

// Queues `work` and waits for its answer, which is given after the commit.
template <typename T>
Task<Result<T>> RunOn(JobThread* thread, std::move_only_function<Result<T>(Database&)> work,
                      Survives survives = Survives::kPowerLoss) {
  const Reply<Result<T>> reply(co_await boost::asio::this_coro::executor);
  auto answer = std::make_shared<Result<T>>();
  DatabaseJob job{.survives = survives};
  job.work = [answer, work = std::move(work)](Database& database) mutable -> Result<void> {
    *answer = work(database);
    if (!*answer) return Fail(answer->error());
    return {};
  };
  job.done = [answer, reply](Result<void> outcome) {
    reply.Set(outcome ? std::move(*answer) : Fail(std::move(outcome).error()));
  };
  CO_TRY(thread->Push(std::move(job)));
  co_return co_await reply.Wait();
}

// Work of a table's function that needs the time: that of the transaction.
template <typename T, typename In>
Task<Result<T>> RunNow(JobThread* thread, Clock* clock,
                       Result<T> (*work)(Database&, const In&, WallTime),
                       std::type_identity_t<In> in, Survives survives = Survives::kPowerLoss) {
  return RunOn<T>(
      thread,
      [clock, work, in = std::move(in)](Database& database) {
        return work(database, in, clock->WallNow());
      },
      survives);
}

// Work that nobody waits for.
void Post(JobThread& thread, std::string_view event,
          std::move_only_function<Result<void>(Database&)> work) {
  DatabaseJob job{.work = std::move(work), .survives = Survives::kProcess};
  job.done = [event](Result<void> outcome) {
    if (!outcome) LOG(warn, event, {"error", Describe(outcome.error())});
  };
  const Result<void> queued = thread.Push(std::move(job));
  if (!queued) LOG(warn, event, {"error", Describe(queued.error())});
}

}  // namespace

struct SqliteStore::Impl {
  Impl(std::unique_ptr<Database> write, std::unique_ptr<Database> read, Clock& time,
       const SqliteOptions& settings)
      : clock(time),
        options(settings),
        cache(settings.cached_actions),
        write_database(std::move(write)),
        read_database(std::move(read)),
        reader(
            "control store's reader", settings.queue_bound, settings.batch_bound,
            [this](std::vector<DatabaseJob> batch) { RunEach(*read_database, std::move(batch)); }),
        writer("control store's writer", settings.queue_bound, settings.batch_bound,
               [this](std::vector<DatabaseJob> batch) {
                 CommitTogether(*write_database, std::move(batch));
               }) {}

  Task<Result<void>> Write(StoreJob job, Survives survives);
  // The newest head of the chain that was posted and not yet written.
  std::optional<ChainHead> TakePosted(const std::string& chain);

  Clock& clock;
  const SqliteOptions options;
  ActionCache cache;
  std::mutex posted_mutex;
  std::map<std::string, ChainHead> posted;
  std::unique_ptr<Database> write_database;
  std::unique_ptr<Database> read_database;
  JobThread reader;
  JobThread writer;
};

Task<Result<void>> SqliteStore::Impl::Write(StoreJob job, Survives survives) {
  auto put = std::make_shared<std::vector<IndexedAction>>();
  auto work = [this, job = std::move(job), put](Database& database) mutable -> Result<void> {
    SqliteTransaction transaction(database, options.max_actions);
    TRY(job(transaction));
    *put = transaction.TakePut();
    return {};
  };
  CO_TRY(co_await RunOn<void>(&writer, std::move(work), survives));
  for (const IndexedAction& action : *put) cache.Put(action);
  co_return Result<void>();
}

std::optional<ChainHead> SqliteStore::Impl::TakePosted(const std::string& chain) {
  const std::scoped_lock lock(posted_mutex);
  const auto found = posted.find(chain);
  if (found == posted.end()) return std::nullopt;
  std::optional<ChainHead> head(std::move(found->second));
  posted.erase(found);
  return head;
}

Result<std::unique_ptr<SqliteStore>> SqliteStore::Open(const std::filesystem::path& path,
                                                       Clock& clock, SqliteOptions options) {
  TRY_ASSIGN(auto writer, OpenWriter(path, clock, options));
  TRY_ASSIGN(auto reader, Database::Open(path, Database::Access::kRead, options.patience));
  auto impl = std::make_unique<Impl>(std::move(writer), std::move(reader), clock, options);
  return std::unique_ptr<SqliteStore>(new SqliteStore(std::move(impl)));
}

SqliteStore::SqliteStore(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {
}
SqliteStore::~SqliteStore() = default;

Task<Result<Lease>> SqliteStore::AcquireLease(LeaseRequest request) {
  return RunOn<Lease>(&impl_->writer,
                      [impl = impl_.get(), request = std::move(request)](Database& database) {
                        return store::AcquireLease(database, request, impl->clock.WallNow());
                      });
}

Task<Result<Lease>> SqliteStore::RenewLease(Lease lease, std::chrono::milliseconds ttl) {
  return RunOn<Lease>(&impl_->writer,
                      [impl = impl_.get(), lease = std::move(lease), ttl](Database& database) {
                        return store::RenewLease(database, lease, ttl, impl->clock.WallNow());
                      });
}

Task<Result<void>> SqliteStore::ReleaseLease(Lease lease) {
  return RunOn<void>(&impl_->writer, [lease = std::move(lease)](Database& database) {
    return store::ReleaseLease(database, lease);
  });
}

Task<Result<void>> SqliteStore::Write(StoreJob job) {
  return impl_->Write(std::move(job), Survives::kPowerLoss);
}

Task<Result<void>> SqliteStore::PutActions(ActionBatch batch) {
  auto put = [batch = std::move(batch)](StoreTransaction& transaction) {
    return transaction.PutActions(batch);
  };
  return impl_->Write(std::move(put), Survives::kProcess);
}

Task<Result<std::optional<IndexedAction>>> SqliteStore::FindAction(ActionKey key) {
  std::optional<IndexedAction> known = impl_->cache.Find(key);
  if (known) co_return known;
  auto find = [key = std::move(key)](Database& database) {
    return store::FindAction(database, key);
  };
  CO_TRY_ASSIGN(known, co_await RunOn<std::optional<IndexedAction>>(&impl_->reader, find));
  if (known) impl_->cache.Put(*known);
  co_return known;
}

Task<Result<std::uint64_t>> SqliteStore::IndexedSeq(std::string chain) {
  return RunOn<std::uint64_t>(&impl_->reader, [chain = std::move(chain)](Database& database) {
    return store::IndexedSeq(database, chain);
  });
}

void SqliteStore::PostHead(ChainHead head) {
  const std::string chain = head.chain;
  {
    const std::scoped_lock lock(impl_->posted_mutex);
    const bool is_first = impl_->posted.insert_or_assign(chain, std::move(head)).second;
    // The job that is queued already will find the newer head.
    if (!is_first) return;
  }
  DatabaseJob job{.survives = Survives::kProcess};
  job.work = [impl = impl_.get(), chain](Database& database) -> Result<void> {
    const std::optional<ChainHead> newest = impl->TakePosted(chain);
    if (!newest) return {};
    return store::PutHead(database, *newest);
  };
  job.done = [chain](Result<void> outcome) {
    if (!outcome) LOG(warn, "store.head", {"chain", chain}, {"error", Describe(outcome.error())});
  };
  if (const Result<void> queued = impl_->writer.Push(std::move(job)); !queued) {
    (void)impl_->TakePosted(chain);
    LOG(warn, "store.head", {"chain", chain}, {"error", Describe(queued.error())});
  }
}

Task<Result<std::optional<ChainHead>>> SqliteStore::GetHead(std::string chain) {
  return RunOn<std::optional<ChainHead>>(
      &impl_->reader,
      [chain = std::move(chain)](Database& database) { return store::GetHead(database, chain); });
}

Task<Result<void>> SqliteStore::NoteIssued(model::IssuedToken token) {
  return RunOn<void>(&impl_->writer,
                     [impl = impl_.get(), token = std::move(token)](Database& database) {
                       return store::NoteIssued(database, token, impl->clock.WallNow());
                     });
}

Task<Result<model::TokenStanding>> SqliteStore::FindStanding(model::TokenName token) {
  return RunOn<model::TokenStanding>(&impl_->reader,
                                     [token = std::move(token)](Database& database) {
                                       return store::FindStanding(database, token);
                                     });
}

Task<Result<model::UseOutcome>> SqliteStore::UseToken(model::TokenUse use) {
  return RunOn<model::UseOutcome>(&impl_->writer,
                                  [impl = impl_.get(), use = std::move(use)](Database& database) {
                                    return store::UseToken(database, use, impl->clock.WallNow());
                                  });
}

Task<Result<bool>> SqliteStore::RevokeToken(model::TokenRevocation revocation) {
  return RunOn<bool>(&impl_->writer,
                     [impl = impl_.get(), revocation = std::move(revocation)](Database& database) {
                       return store::RevokeToken(database, revocation, impl->clock.WallNow());
                     });
}

Task<Result<std::uint64_t>> SqliteStore::RevokeIssued(model::TokenCutoff cutoff) {
  return RunOn<std::uint64_t>(&impl_->writer,
                              [impl = impl_.get(), cutoff = std::move(cutoff)](Database& database) {
                                return store::RevokeIssued(database, cutoff, impl->clock.WallNow());
                              });
}

Task<Result<std::vector<model::ListedToken>>> SqliteStore::ListIssued(model::TokenFilter filter) {
  return RunOn<std::vector<model::ListedToken>>(&impl_->reader,
                                                [filter = std::move(filter)](Database& database) {
                                                  return store::ListIssued(database, filter);
                                                });
}

Task<Result<void>> SqliteStore::PutApproval(model::ApprovalRequest request) {
  return RunOn<void>(&impl_->writer,
                     [impl = impl_.get(), request = std::move(request)](Database& database) {
                       return store::PutApproval(database, request, impl->clock.WallNow());
                     });
}

Task<Result<model::ApprovalRecord>> SqliteStore::DecideApproval(model::ApprovalDecision decision) {
  return RunOn<model::ApprovalRecord>(
      &impl_->writer, [impl = impl_.get(), decision = std::move(decision)](Database& database) {
        return store::DecideApproval(database, decision, impl->clock.WallNow());
      });
}

Task<Result<model::ApprovalRecord>> SqliteStore::EndApproval(model::ApprovalEnd end) {
  return RunOn<model::ApprovalRecord>(
      &impl_->writer, [impl = impl_.get(), end = std::move(end)](Database& database) {
        return store::EndApproval(database, end, impl->clock.WallNow());
      });
}

Task<Result<void>> SqliteStore::UseApproval(model::ApprovalUse use) {
  return RunOn<void>(&impl_->writer,
                     [impl = impl_.get(), use = std::move(use)](Database& database) {
                       return store::UseApproval(database, use, impl->clock.WallNow());
                     });
}

Task<Result<model::ApprovalRecord>> SqliteStore::FindApproval(std::string request_id) {
  return RunOn<model::ApprovalRecord>(
      &impl_->reader, [impl = impl_.get(), id = std::move(request_id)](Database& database) {
        return store::FindApproval(database, id, impl->clock.WallNow());
      });
}

Task<Result<std::vector<model::ApprovalRecord>>> SqliteStore::ListApprovals(
    model::ApprovalFilter filter) {
  return RunOn<std::vector<model::ApprovalRecord>>(
      &impl_->reader, [impl = impl_.get(), filter = std::move(filter)](Database& database) {
        return store::ListApprovals(database, filter, impl->clock.WallNow());
      });
}

Task<Result<QuotaAnswer>> SqliteStore::TakeAction(QuotaRequest request) {
  return RunNow(&impl_->writer, &impl_->clock, &store::TakeAction, std::move(request),
                Survives::kProcess);
}

void SqliteStore::PostReturnAction(ActionTicket ticket) {
  Post(impl_->writer, "store.action_not_returned",
       [ticket = std::move(ticket)](Database& database) {
         return store::ReturnAction(database, ticket);
       });
}

Task<Result<model::TenantQuota>> SqliteStore::GetQuota(TenantId tenant,
                                                       model::TenantQuota defaults) {
  return RunOn<model::TenantQuota>(&impl_->reader,
                                   [tenant = std::move(tenant), defaults](Database& database) {
                                     return store::GetQuota(database, tenant, defaults);
                                   });
}

Task<Result<void>> SqliteStore::SetQuota(QuotaChange change) {
  return RunOn<void>(&impl_->writer, [change = std::move(change)](Database& database) {
    return store::SetQuota(database, change);
  });
}

Task<Result<QuotaUse>> SqliteStore::GetUse(TenantId tenant) {
  return RunNow(&impl_->reader, &impl_->clock, &store::GetUse, std::move(tenant));
}

Task<Result<std::vector<TenantId>>> SqliteStore::ListQuotas() {
  return RunOn<std::vector<TenantId>>(&impl_->reader, &store::ListQuotas);
}

Task<Result<std::uint64_t>> SqliteStore::CountSessions() {
  return RunOn<std::uint64_t>(&impl_->reader, [impl = impl_.get()](Database& database) {
    return store::CountSessions(database, impl->clock.WallNow());
  });
}

Task<Result<RateAnswer>> SqliteStore::TakeRates(std::vector<RateLimit> limits) {
  return RunNow(&impl_->writer, &impl_->clock, &store::TakeRates, std::move(limits));
}

void SqliteStore::PostReturnRates(RateTicket ticket) {
  Post(impl_->writer, "store.rate_not_returned", [ticket = std::move(ticket)](Database& database) {
    return store::ReturnRates(database, ticket);
  });
}

// Most circuits are closed, and looking at one disturbs nobody: only who may have the probe writes.
Task<Result<CircuitAnswer>> SqliteStore::EnterCircuit(CircuitRequest request) {
  CO_TRY_ASSIGN(std::optional<CircuitAnswer> seen,
                co_await RunNow(&impl_->reader, &impl_->clock, &store::LookAtCircuit, request));
  if (seen) co_return *std::move(seen);
  co_return co_await RunNow(&impl_->writer, &impl_->clock, &store::EnterCircuit, std::move(request),
                            Survives::kProcess);
}

Task<Result<CircuitState>> SqliteStore::NoteOutcome(CircuitNote note) {
  return RunNow(&impl_->writer, &impl_->clock, &store::NoteOutcome, std::move(note),
                Survives::kProcess);
}

void SqliteStore::PostReturnProbe(ProbeTicket ticket) {
  Post(impl_->writer, "store.probe_not_returned", [ticket = std::move(ticket)](Database& database) {
    return store::ReturnProbe(database, ticket);
  });
}

Task<Result<std::vector<ListedCircuit>>> SqliteStore::ListCircuits(CircuitQuery query) {
  return RunNow(&impl_->reader, &impl_->clock, &store::ListCircuits, std::move(query));
}

Task<Result<std::uint64_t>> SqliteStore::ResetCircuits(CircuitKey key) {
  return RunOn<std::uint64_t>(&impl_->writer, [key = std::move(key)](Database& database) {
    return store::ResetCircuits(database, key);
  });
}

Task<Result<CircuitCounts>> SqliteStore::CountCircuits() {
  return RunOn<CircuitCounts>(&impl_->reader, [impl = impl_.get()](Database& database) {
    return store::CountCircuits(database, impl->clock.WallNow());
  });
}

Task<Result<Pause>> SqliteStore::OrderPause(PauseOrder order) {
  return RunNow(&impl_->writer, &impl_->clock, &store::OrderPause, std::move(order));
}

Task<Result<std::optional<Pause>>> SqliteStore::EndPause(TenantId tenant) {
  return RunOn<std::optional<Pause>>(&impl_->writer,
                                     [tenant = std::move(tenant)](Database& database) {
                                       return store::EndPause(database, tenant);
                                     });
}

Task<Result<std::optional<Pause>>> SqliteStore::FindPause(TenantId tenant) {
  return RunOn<std::optional<Pause>>(&impl_->reader,
                                     [tenant = std::move(tenant)](Database& database) {
                                       return store::FindPause(database, tenant);
                                     });
}

Task<Result<std::vector<Pause>>> SqliteStore::ListPauses() {
  return RunOn<std::vector<Pause>>(&impl_->reader, &store::ListPauses);
}

}  // namespace falconer::store
