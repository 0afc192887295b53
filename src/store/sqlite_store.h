#pragma once
// SqliteStore: the control store in one SQLite file (WAL). Commits are synced unless all they hold
// can be made again from the ledger: the index of actions and the heads. One connection writes, on
// its own thread, and commits jobs that wait together in one transaction; another one reads.
// Several processes may use the same file.

#include <filesystem>
#include <memory>

#include "store/approval_store.h"
#include "store/breaker_store.h"
#include "store/control_store.h"
#include "store/job_store.h"
#include "store/pause_store.h"
#include "store/prediction_store.h"
#include "store/quota_store.h"
#include "store/rate_store.h"
#include "store/token_store.h"
#include "store/workflow_store.h"

namespace falconer::store {

struct SqliteOptions {
  // Most jobs that may wait, for writing and for reading each.
  std::size_t queue_bound = 4096;
  // Most jobs that share a commit.
  std::size_t batch_bound = 128;
  // Bound of the index of actions; open ones never go.
  std::uint64_t max_actions = 1'000'000;
  // Terminal actions kept in memory.
  std::size_t cached_actions = 16'384;
  // How long to wait for another process that writes.
  std::chrono::milliseconds patience = std::chrono::seconds(10);
};

// Jobs that wait.
struct StoreQueues {
  std::size_t writing = 0;
  std::size_t reading = 0;
};

class SqliteStore final : public ControlStore,
                          public TokenStore,
                          public ApprovalStore,
                          public QuotaStore,
                          public RateStore,
                          public BreakerStore,
                          public PauseStore,
                          public JobStore,
                          public PredictionStore,
                          public WorkflowStore {
 public:
  // Opens or creates the file; blocks. kIoError, kStoreDamaged, or kUnsupported for a file of a
  // newer program. `clock` MUST outlive the store.
  static Result<std::unique_ptr<SqliteStore>> Open(const std::filesystem::path& path, Clock& clock,
                                                   SqliteOptions options = {});
  // Finishes what is queued.
  ~SqliteStore() override;

  StoreQueues queues() const;

  Task<Result<Lease>> AcquireLease(LeaseRequest request) override;
  Task<Result<Lease>> RenewLease(Lease lease, std::chrono::milliseconds ttl) override;
  Task<Result<void>> ReleaseLease(Lease lease) override;
  Task<Result<void>> Write(StoreJob job) override;
  Task<Result<void>> PutActions(ActionBatch batch) override;
  Task<Result<std::optional<IndexedAction>>> FindAction(ActionKey key) override;
  Task<Result<std::uint64_t>> IndexedSeq(std::string chain) override;
  void PostHead(ChainHead head) override;
  Task<Result<std::optional<ChainHead>>> GetHead(std::string chain) override;

  Task<Result<void>> NoteIssued(model::IssuedToken token) override;
  Task<Result<model::TokenStanding>> FindStanding(model::TokenName token) override;
  Task<Result<model::UseOutcome>> UseToken(model::TokenUse use) override;
  Task<Result<bool>> RevokeToken(model::TokenRevocation revocation) override;
  Task<Result<std::uint64_t>> RevokeIssued(model::TokenCutoff cutoff) override;
  Task<Result<std::vector<model::ListedToken>>> ListIssued(model::TokenFilter filter) override;

  Task<Result<void>> PutApproval(model::ApprovalRequest request) override;
  Task<Result<model::ApprovalRecord>> DecideApproval(model::ApprovalDecision decision) override;
  Task<Result<model::ApprovalRecord>> EndApproval(model::ApprovalEnd end) override;
  Task<Result<void>> UseApproval(model::ApprovalUse use) override;
  Task<Result<model::ApprovalRecord>> FindApproval(std::string request_id) override;
  Task<Result<std::vector<model::ApprovalRecord>>> ListApprovals(
      model::ApprovalFilter filter) override;

  Task<Result<QuotaAnswer>> TakeAction(QuotaRequest request) override;
  void PostReturnAction(ActionTicket ticket) override;
  Task<Result<model::TenantQuota>> GetQuota(TenantId tenant, model::TenantQuota defaults) override;
  Task<Result<void>> SetQuota(QuotaChange change) override;
  Task<Result<QuotaUse>> GetUse(TenantId tenant) override;
  Task<Result<std::vector<TenantId>>> ListQuotas() override;
  Task<Result<std::uint64_t>> CountSessions() override;

  Task<Result<RateAnswer>> TakeRates(std::vector<RateLimit> limits) override;
  void PostReturnRates(RateTicket ticket) override;

  Task<Result<CircuitAnswer>> EnterCircuit(CircuitRequest request) override;
  Task<Result<CircuitState>> NoteOutcome(CircuitNote note) override;
  void PostReturnProbe(ProbeTicket ticket) override;
  Task<Result<std::vector<ListedCircuit>>> ListCircuits(CircuitQuery query) override;
  Task<Result<std::uint64_t>> ResetCircuits(CircuitKey key) override;
  Task<Result<CircuitCounts>> CountCircuits() override;

  Task<Result<Pause>> OrderPause(PauseOrder order) override;
  Task<Result<std::optional<Pause>>> EndPause(TenantId tenant) override;
  Task<Result<std::optional<Pause>>> FindPause(TenantId tenant) override;
  Task<Result<std::vector<Pause>>> ListPauses() override;

  Task<Result<PutJobAnswer>> PutJob(NewJob job) override;
  Task<Result<std::optional<ClaimedJob>>> ClaimJob(JobClaim claim) override;
  Task<Result<std::vector<HeldJob>>> BeatJobs(JobHold hold) override;
  Task<Result<void>> FreeJobsOf(std::string owner) override;
  Task<Result<JobRecord>> EndJob(JobEnd end) override;
  Task<Result<void>> ReleaseJob(JobRelease release) override;
  Task<Result<JobRecord>> CancelJob(JobCancel cancel) override;
  Task<Result<void>> DropJob(JobName name) override;
  Task<Result<std::vector<std::string>>> ForgetJobs(JobKeep keep) override;
  Task<Result<JobRecord>> FindJob(JobName name) override;
  Task<Result<std::vector<JobRecord>>> ListJobs(JobFilter filter) override;
  Task<Result<JobOutlook>> LookAtJobs(JobClaim claim) override;
  Task<Result<void>> AddJobNews(NewsNote note) override;
  Task<Result<std::vector<JobNewsRow>>> ListJobNews(NewsQuery query) override;
  Task<Result<std::optional<JobRecord>>> ClaimCallback(TenantId tenant,
                                                       std::chrono::milliseconds hold) override;
  Task<Result<JobRecord>> NoteCallback(CallbackNote note) override;

  Task<Result<void>> PutLearnt(LearntBatch batch) override;
  Task<Result<LearntContexts>> LoadContexts(TenantId tenant, std::string node) override;
  Task<Result<void>> PutNode(TenantId tenant, std::string node,
                             std::vector<ContextRow> rows) override;
  Task<Result<std::vector<KnownAction>>> LoadActions(TenantId tenant) override;
  Task<Result<std::vector<TopTransition>>> TopTransitions(TenantId tenant,
                                                          std::size_t most) override;
  Task<Result<void>> BoundLearnt(TenantId tenant, LearntBound bound) override;
  Task<Result<void>> ForgetLearnt(TenantId tenant) override;
  Task<Result<void>> PutWorkflow(TenantId tenant, WorkflowDocument workflow) override;
  Task<Result<std::optional<WorkflowDocument>>> FindWorkflow(TenantId tenant,
                                                             std::string name) override;
  Task<Result<std::vector<WorkflowDocument>>> ListWorkflows(TenantId tenant) override;
  Task<Result<void>> DropWorkflow(TenantId tenant, std::string name) override;
  Task<Result<void>> PutRecording(TenantId tenant, RecordingDocument recording,
                                  std::size_t most) override;
  Task<Result<std::vector<RecordingDocument>>> ListRecordings(TenantId tenant,
                                                              std::string workflow) override;
  Task<Result<void>> PutIntent(TenantId tenant, IntentDocument intent, std::size_t most) override;
  Task<Result<std::optional<IntentDocument>>> FindIntent(TenantId tenant, std::string key) override;
  Task<Result<void>> DropIntent(TenantId tenant, std::string key) override;

 private:
  struct Impl;
  explicit SqliteStore(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace falconer::store
