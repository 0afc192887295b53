#include "store/sqlite_store.h"

#include <map>
#include <mutex>

#include "base/async/reply.h"
#include "base/log.h"
#include "store/action_cache.h"
#include "store/sqlite/action_table.h"
#include "store/sqlite/approval_table.h"
#include "store/sqlite/breaker_table.h"
#include "store/sqlite/context_table.h"
#include "store/sqlite/group_commit.h"
#include "store/sqlite/head_table.h"
#include "store/sqlite/job_callback_table.h"
#include "store/sqlite/job_news_table.h"
#include "store/sqlite/job_table.h"
#include "store/sqlite/learnt_table.h"
#include "store/sqlite/lease_table.h"
#include "store/sqlite/pause_table.h"
#include "store/sqlite/quota_table.h"
#include "store/sqlite/rate_table.h"
#include "store/sqlite/schema.h"
#include "store/sqlite/token_table.h"
#include "store/sqlite/workflow_table.h"

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
                      Survives survives) {
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

// Work of a table's function; one that needs the time gets that of the transaction.
template <typename Work, typename... In>
auto OnDatabase([[maybe_unused]] Clock& clock, Work work, In... in) {
  if constexpr (std::invocable<Work, Database&, const In&..., WallTime>) {
    return [&clock, work, ... in = std::move(in)](Database& database) {
      return work(database, in..., clock.WallNow());
    };
  } else {
    return [work, ... in = std::move(in)](Database& database) { return work(database, in...); };
  }
}

// Work that nobody waits for.
void PostOn(JobThread& thread, std::string_view event,
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

  // The functions of tables, with what they are given after the database.
  template <typename Work, typename... In>
  auto Read(Work work, In... in) {
    return Run(&reader, Survives::kPowerLoss, OnDatabase(clock, work, std::move(in)...));
  }
  template <typename Work, typename... In>
  auto Write(Work work, In... in) {
    return Run(&writer, Survives::kPowerLoss, OnDatabase(clock, work, std::move(in)...));
  }
  // A power cut may take it back.
  template <typename Work, typename... In>
  auto WriteLightly(Work work, In... in) {
    return Run(&writer, Survives::kProcess, OnDatabase(clock, work, std::move(in)...));
  }
  // Nobody waits for it; a failure is logged as `event`.
  template <typename Work, typename In>
  void Post(std::string_view event, Work work, In in) {
    PostOn(writer, event, OnDatabase(clock, work, std::move(in)));
  }

  Task<Result<void>> Transact(StoreJob job, Survives survives);
  // The newest head of the chain that was posted and not yet written.
  std::optional<ChainHead> TakePosted(const std::string& chain);

  template <typename Work>
  static auto Run(JobThread* thread, Survives survives, Work work) {
    using Answer = std::invoke_result_t<Work&, Database&>;
    return RunOn<typename Answer::value_type>(thread, std::move(work), survives);
  }

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

Task<Result<void>> SqliteStore::Impl::Transact(StoreJob job, Survives survives) {
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

StoreQueues SqliteStore::queues() const {
  return {.writing = impl_->writer.depth(), .reading = impl_->reader.depth()};
}

Task<Result<Lease>> SqliteStore::AcquireLease(LeaseRequest request) {
  return impl_->Write(&store::AcquireLease, std::move(request));
}

Task<Result<Lease>> SqliteStore::RenewLease(Lease lease, std::chrono::milliseconds ttl) {
  return impl_->Write(&store::RenewLease, std::move(lease), ttl);
}

Task<Result<void>> SqliteStore::ReleaseLease(Lease lease) {
  return impl_->Write(&store::ReleaseLease, std::move(lease));
}

Task<Result<void>> SqliteStore::Write(StoreJob job) {
  return impl_->Transact(std::move(job), Survives::kPowerLoss);
}

Task<Result<void>> SqliteStore::PutActions(ActionBatch batch) {
  auto put = [batch = std::move(batch)](StoreTransaction& transaction) {
    return transaction.PutActions(batch);
  };
  return impl_->Transact(std::move(put), Survives::kProcess);
}

Task<Result<std::optional<IndexedAction>>> SqliteStore::FindAction(ActionKey key) {
  std::optional<IndexedAction> known = impl_->cache.Find(key);
  if (known) co_return known;
  CO_TRY_ASSIGN(known, co_await impl_->Read(&store::FindAction, std::move(key)));
  if (known) impl_->cache.Put(*known);
  co_return known;
}

Task<Result<std::uint64_t>> SqliteStore::IndexedSeq(std::string chain) {
  return impl_->Read(&store::IndexedSeq, std::move(chain));
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
  return impl_->Read(&store::GetHead, std::move(chain));
}

Task<Result<void>> SqliteStore::NoteIssued(model::IssuedToken token) {
  return impl_->Write(&store::NoteIssued, std::move(token));
}

Task<Result<model::TokenStanding>> SqliteStore::FindStanding(model::TokenName token) {
  return impl_->Read(&store::FindStanding, std::move(token));
}

Task<Result<model::UseOutcome>> SqliteStore::UseToken(model::TokenUse use) {
  return impl_->Write(&store::UseToken, std::move(use));
}

Task<Result<bool>> SqliteStore::RevokeToken(model::TokenRevocation revocation) {
  return impl_->Write(&store::RevokeToken, std::move(revocation));
}

Task<Result<std::uint64_t>> SqliteStore::RevokeIssued(model::TokenCutoff cutoff) {
  return impl_->Write(&store::RevokeIssued, std::move(cutoff));
}

Task<Result<std::vector<model::ListedToken>>> SqliteStore::ListIssued(model::TokenFilter filter) {
  return impl_->Read(&store::ListIssued, std::move(filter));
}

Task<Result<void>> SqliteStore::PutApproval(model::ApprovalRequest request) {
  return impl_->Write(&store::PutApproval, std::move(request));
}

Task<Result<model::ApprovalRecord>> SqliteStore::DecideApproval(model::ApprovalDecision decision) {
  return impl_->Write(&store::DecideApproval, std::move(decision));
}

Task<Result<model::ApprovalRecord>> SqliteStore::EndApproval(model::ApprovalEnd end) {
  return impl_->Write(&store::EndApproval, std::move(end));
}

Task<Result<void>> SqliteStore::UseApproval(model::ApprovalUse use) {
  return impl_->Write(&store::UseApproval, std::move(use));
}

Task<Result<model::ApprovalRecord>> SqliteStore::FindApproval(std::string request_id) {
  return impl_->Read(&store::FindApproval, std::move(request_id));
}

Task<Result<std::vector<model::ApprovalRecord>>> SqliteStore::ListApprovals(
    model::ApprovalFilter filter) {
  return impl_->Read(&store::ListApprovals, std::move(filter));
}

Task<Result<QuotaAnswer>> SqliteStore::TakeAction(QuotaRequest request) {
  return impl_->WriteLightly(&store::TakeAction, std::move(request));
}

void SqliteStore::PostReturnAction(ActionTicket ticket) {
  impl_->Post("store.action_not_returned", &store::ReturnAction, std::move(ticket));
}

Task<Result<model::TenantQuota>> SqliteStore::GetQuota(TenantId tenant,
                                                       model::TenantQuota defaults) {
  return impl_->Read(&store::GetQuota, std::move(tenant), defaults);
}

Task<Result<void>> SqliteStore::SetQuota(QuotaChange change) {
  return impl_->Write(&store::SetQuota, std::move(change));
}

Task<Result<QuotaUse>> SqliteStore::GetUse(TenantId tenant) {
  return impl_->Read(&store::GetUse, std::move(tenant));
}

Task<Result<std::vector<TenantId>>> SqliteStore::ListQuotas() {
  return impl_->Read(&store::ListQuotas);
}

Task<Result<std::uint64_t>> SqliteStore::CountSessions() {
  return impl_->Read(&store::CountSessions);
}

Task<Result<RateAnswer>> SqliteStore::TakeRates(std::vector<RateLimit> limits) {
  return impl_->Write(&store::TakeRates, std::move(limits));
}

void SqliteStore::PostReturnRates(RateTicket ticket) {
  impl_->Post("store.rate_not_returned", &store::ReturnRates, std::move(ticket));
}

// Most circuits are closed, and looking at one disturbs nobody: only who may have the probe writes.
Task<Result<CircuitAnswer>> SqliteStore::EnterCircuit(CircuitRequest request) {
  CO_TRY_ASSIGN(std::optional<CircuitAnswer> seen,
                co_await impl_->Read(&store::LookAtCircuit, request));
  if (seen) co_return *std::move(seen);
  co_return co_await impl_->WriteLightly(&store::EnterCircuit, std::move(request));
}

Task<Result<CircuitState>> SqliteStore::NoteOutcome(CircuitNote note) {
  return impl_->WriteLightly(&store::NoteOutcome, std::move(note));
}

void SqliteStore::PostReturnProbe(ProbeTicket ticket) {
  impl_->Post("store.probe_not_returned", &store::ReturnProbe, std::move(ticket));
}

Task<Result<std::vector<ListedCircuit>>> SqliteStore::ListCircuits(CircuitQuery query) {
  return impl_->Read(&store::ListCircuits, std::move(query));
}

Task<Result<std::uint64_t>> SqliteStore::ResetCircuits(CircuitKey key) {
  return impl_->Write(&store::ResetCircuits, std::move(key));
}

Task<Result<CircuitCounts>> SqliteStore::CountCircuits() {
  return impl_->Read(&store::CountCircuits);
}

Task<Result<Pause>> SqliteStore::OrderPause(PauseOrder order) {
  return impl_->Write(&store::OrderPause, std::move(order));
}

Task<Result<std::optional<Pause>>> SqliteStore::EndPause(TenantId tenant) {
  return impl_->Write(&store::EndPause, std::move(tenant));
}

Task<Result<std::optional<Pause>>> SqliteStore::FindPause(TenantId tenant) {
  return impl_->Read(&store::FindPause, std::move(tenant));
}

Task<Result<std::vector<Pause>>> SqliteStore::ListPauses() {
  return impl_->Read(&store::ListPauses);
}

Task<Result<PutJobAnswer>> SqliteStore::PutJob(NewJob job) {
  return impl_->Write(&store::PutJob, std::move(job));
}

Task<Result<std::optional<ClaimedJob>>> SqliteStore::ClaimJob(JobClaim claim) {
  return impl_->Write(&store::ClaimJob, std::move(claim));
}

Task<Result<std::vector<HeldJob>>> SqliteStore::BeatJobs(JobHold hold) {
  return impl_->WriteLightly(&store::BeatJobs, std::move(hold));
}

Task<Result<void>> SqliteStore::FreeJobsOf(std::string owner) {
  return impl_->Write(&store::FreeJobsOf, std::move(owner));
}

Task<Result<JobRecord>> SqliteStore::EndJob(JobEnd end) {
  return impl_->Write(&store::EndJob, std::move(end));
}

Task<Result<void>> SqliteStore::ReleaseJob(JobRelease release) {
  return impl_->Write(&store::ReleaseJob, std::move(release));
}

Task<Result<JobRecord>> SqliteStore::CancelJob(JobCancel cancel) {
  return impl_->Write(&store::CancelJob, std::move(cancel));
}

Task<Result<void>> SqliteStore::DropJob(JobName name) {
  return impl_->Write(&store::DropJob, std::move(name));
}

Task<Result<std::vector<std::string>>> SqliteStore::ForgetJobs(JobKeep keep) {
  return impl_->Write(&store::ForgetJobs, std::move(keep));
}

Task<Result<JobRecord>> SqliteStore::FindJob(JobName name) {
  return impl_->Read(&store::FindJob, std::move(name));
}

Task<Result<std::vector<JobRecord>>> SqliteStore::ListJobs(JobFilter filter) {
  return impl_->Read(&store::ListJobs, std::move(filter));
}

Task<Result<JobOutlook>> SqliteStore::LookAtJobs(JobClaim claim) {
  return impl_->Read(&store::LookAtJobs, std::move(claim));
}

Task<Result<void>> SqliteStore::AddJobNews(NewsNote note) {
  return impl_->WriteLightly(&store::AddJobNews, std::move(note));
}

Task<Result<std::vector<JobNewsRow>>> SqliteStore::ListJobNews(NewsQuery query) {
  return impl_->Read(&store::ListJobNews, std::move(query));
}

Task<Result<std::optional<JobRecord>>> SqliteStore::ClaimCallback(TenantId tenant,
                                                                  std::chrono::milliseconds hold) {
  return impl_->Write(&store::ClaimCallback, std::move(tenant), hold);
}

Task<Result<JobRecord>> SqliteStore::NoteCallback(CallbackNote note) {
  return impl_->Write(&store::NoteCallback, std::move(note));
}

Task<Result<void>> SqliteStore::PutLearnt(LearntBatch batch) {
  return impl_->WriteLightly(&store::PutLearnt, std::move(batch));
}

Task<Result<LearntContexts>> SqliteStore::LoadContexts(TenantId tenant, std::string node) {
  return impl_->Read(&store::LoadContexts, std::move(tenant), std::move(node));
}

Task<Result<void>> SqliteStore::PutNode(TenantId tenant, std::string node,
                                        std::vector<ContextRow> rows) {
  return impl_->WriteLightly(&store::PutNode, std::move(tenant), std::move(node), std::move(rows));
}

Task<Result<std::vector<KnownAction>>> SqliteStore::LoadActions(TenantId tenant) {
  return impl_->Read(&store::LoadActions, std::move(tenant));
}

Task<Result<std::vector<TopTransition>>> SqliteStore::TopTransitions(TenantId tenant,
                                                                     std::size_t most) {
  return impl_->Read(&store::TopTransitions, std::move(tenant), most);
}

Task<Result<void>> SqliteStore::BoundLearnt(TenantId tenant, LearntBound bound) {
  return impl_->WriteLightly(&store::BoundLearnt, std::move(tenant), bound);
}

Task<Result<void>> SqliteStore::ForgetLearnt(TenantId tenant) {
  return impl_->Write(&store::ForgetLearnt, std::move(tenant));
}

Task<Result<void>> SqliteStore::PutWorkflow(TenantId tenant, WorkflowDocument workflow) {
  return impl_->Write(&store::PutWorkflow, std::move(tenant), std::move(workflow));
}

Task<Result<std::optional<WorkflowDocument>>> SqliteStore::FindWorkflow(TenantId tenant,
                                                                        std::string name) {
  return impl_->Read(&store::FindWorkflow, std::move(tenant), std::move(name));
}

Task<Result<std::vector<WorkflowDocument>>> SqliteStore::ListWorkflows(TenantId tenant) {
  return impl_->Read(&store::ListWorkflows, std::move(tenant));
}

Task<Result<void>> SqliteStore::DropWorkflow(TenantId tenant, std::string name) {
  return impl_->Write(&store::DropWorkflow, std::move(tenant), std::move(name));
}

Task<Result<void>> SqliteStore::PutRecording(TenantId tenant, RecordingDocument recording,
                                             std::size_t most) {
  return impl_->Write(&store::PutRecording, std::move(tenant), std::move(recording), most);
}

Task<Result<std::vector<RecordingDocument>>> SqliteStore::ListRecordings(TenantId tenant,
                                                                         std::string workflow) {
  return impl_->Read(&store::ListRecordings, std::move(tenant), std::move(workflow));
}

Task<Result<void>> SqliteStore::PutIntent(TenantId tenant, IntentDocument intent,
                                          std::size_t most) {
  return impl_->Write(&store::PutIntent, std::move(tenant), std::move(intent), most);
}

Task<Result<std::optional<IntentDocument>>> SqliteStore::FindIntent(TenantId tenant,
                                                                    std::string key) {
  return impl_->Read(&store::FindIntent, std::move(tenant), std::move(key));
}

Task<Result<void>> SqliteStore::DropIntent(TenantId tenant, std::string key) {
  return impl_->Write(&store::DropIntent, std::move(tenant), std::move(key));
}

}  // namespace falconer::store
