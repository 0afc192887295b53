#include "app/host/runtime_host.h"

#include "base/check.h"
#include "engine/domain_request_rule.h"
#include "engine/read_contract.h"
#include "kernel/gates/capacity_gate.h"
#include "kernel/gates/contract_gate.h"
#include "kernel/gates/domain_gate.h"
#include "kernel/gates/lease_gate.h"
#include "kernel/leases/lease_owner.h"
#include "store/sqlite_store.h"

namespace falconer::app {
namespace {

// One set of rules for every tenant: that of the settings.
class SettingsRules final : public kernel::DomainRulesSource {
 public:
  explicit SettingsRules(policy::DomainRules rules)
      : rules_(std::make_shared<policy::DomainRules>(std::move(rules))) {}
  std::shared_ptr<const policy::DomainRules> RulesFor(const TenantId&) const override {
    return rules_;
  }

 private:
  std::shared_ptr<const policy::DomainRules> rules_;
};

policy::DomainConfig DomainsFrom(const Settings& settings) {
  return engine::DomainConfigFrom(settings.policy.allow_domains, settings.policy.deny_domains,
                                  settings.policy.connect_domains);
}

browser::PoolConfig PoolConfigFrom(const Settings& settings) {
  const auto& from = settings.browser;
  return {.max_browsers = static_cast<std::size_t>(from.count),
          .max_sessions_per_browser = static_cast<std::size_t>(from.max_sessions_per_browser),
          .recycle_after_sessions = static_cast<std::size_t>(from.recycle_after_sessions),
          .max_age = from.max_age,
          .idle_shutdown = from.idle_shutdown,
          .health_interval = from.health_interval};
}

browser::BrowserFactory FactoryFrom(const Settings& settings) {
  return [config = BrowserConfigFrom(settings), attach_url = settings.browser.attach_url,
          limits = BrowserLimitsFrom(settings)](CallContext ctx) {
    return OpenBrowser(std::move(ctx), config, attach_url, limits);
  };
}

browser::SessionManagerConfig SessionsFrom(const Settings& settings,
                                           std::shared_ptr<browser::RequestRule> rule) {
  browser::SessionManagerConfig config{
      .max_sessions = static_cast<std::size_t>(settings.sessions.max),
      .acquire_timeout = settings.sessions.acquire_timeout,
      .prewarmed = static_cast<std::size_t>(settings.sessions.prewarmed),
      .defaults = SessionOptionsFrom(settings)};
  config.defaults.request_rule = std::move(rule);
  return config;
}

store::SqliteOptions StoreOptionsFrom(const Settings& settings) {
  return {.max_actions = static_cast<std::uint64_t>(settings.actions.remembered)};
}

ledger::ChainOptions ChainOptionsFrom(const Settings& settings) {
  return {.segment_bytes = static_cast<std::uint64_t>(settings.ledger.segment_bytes),
          .checkpoint_records = static_cast<std::uint64_t>(settings.ledger.checkpoint_records),
          .checkpoint_interval = settings.ledger.checkpoint_interval,
          .anchor_folder = settings.ledger.anchor};
}

kernel::LoadLimits LoadLimitsFrom(const Settings& settings) {
  return {.running = static_cast<std::size_t>(settings.capacity.running),
          .running_per_tenant = static_cast<std::size_t>(settings.capacity.running_per_tenant)};
}

// The order is the list's own; see kernel/gates/gate_list.h.
kernel::GateList GatesOf(const kernel::ContractCheck& contract,
                         const kernel::DomainRulesSource& rules, const kernel::EpochGuard& epochs,
                         kernel::LoadMeter& load) {
  std::vector<std::unique_ptr<kernel::Gate>> gates;
  gates.push_back(std::make_unique<kernel::ContractGate>(contract));
  gates.push_back(std::make_unique<kernel::DomainGate>(rules));
  gates.push_back(std::make_unique<kernel::LeaseGate>(epochs));
  gates.push_back(std::make_unique<kernel::CapacityGate>(load));
  auto list = kernel::GateList::Create(std::move(gates));
  CHECK(list, "every gate of the order is here");
  return *std::move(list);
}

engine::RuntimeConfig RuntimeConfigFrom(const Settings& settings,
                                        std::shared_ptr<browser::RequestRule> rule,
                                        std::function<void(engine::TurnStage)> on_stage) {
  engine::RuntimeConfig config{
      .drive = {.driver = DriverLimitsFrom(settings), .state = StateLimitsFrom(settings)},
      .session = SessionOptionsFrom(settings),
      .on_stage = std::move(on_stage),
      // Those with a browser, and those that wait for one.
      .max_sessions = static_cast<std::size_t>(settings.sessions.max + settings.capacity.running),
      .idle_close = settings.sessions.idle_close,
      .admission_policy = {{"running", settings.capacity.running},
                           {"running_per_tenant", settings.capacity.running_per_tenant}},
      .policy = {{"execution_profile", "simple"}}};
  config.session.request_rule = std::move(rule);
  return config;
}

Result<std::unique_ptr<kernel::TelemetrySink>> TelemetryFrom(const Settings& settings) {
  if (!settings.telemetry.enabled) return nullptr;
  const auto file = settings.telemetry.file.empty() ? settings.data.dir / "telemetry.jsonl"
                                                    : settings.telemetry.file;
  TRY_ASSIGN(auto sink, kernel::TelemetrySink::Open(file));
  return std::make_unique<kernel::TelemetrySink>(std::move(sink));
}

Result<void> MakeDataFolder(const std::filesystem::path& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed) return {};
  return Fail(ErrorCode::kIoError, "cannot create " + folder.string() + ": " + failed.message());
}

// A bad pattern is a bad setting.
Error AsSetting(const Error& error) {
  return {ErrorCode::kInvalidSetting, "policy: " + std::string(error.message())};
}

}  // namespace

// What must be opened before the rest can be made.
struct RuntimeHost::Opened {
  std::unique_ptr<store::SqliteStore> store;
  std::unique_ptr<ledger::KeyNameScrubber> scrubber;
  std::unique_ptr<ledger::Ledger> ledger;
  std::unique_ptr<kernel::TelemetrySink> telemetry;
  policy::DomainRules rules;
  std::shared_ptr<engine::DomainRequestRule> request_rule;
};

struct RuntimeHost::Rooms {
  Rooms(Program& program, Settings chosen, Opened opened,
        std::function<void(engine::TurnStage)> on_stage);

  Settings settings;
  Opened parts;
  browser::ArtifactManager artifacts;
  browser::BrowserPool pool;
  browser::SessionManager sessions;
  kernel::LeaseKeeper leases;
  kernel::ActionRegistry actions;
  kernel::TenantIndex index;
  SettingsRules rules;
  engine::ReadContract contract;
  kernel::EpochGuard epochs;
  kernel::LoadMeter load;
  kernel::GateList gates;
  engine::Runtime runtime;
};

RuntimeHost::Rooms::Rooms(Program& program, Settings chosen, Opened opened,
                          std::function<void(engine::TurnStage)> on_stage)
    : settings(std::move(chosen)),
      parts(std::move(opened)),
      artifacts({.root = ArtifactsFolder(settings),
                 .inbox = settings.artifacts.inbox,
                 .max_bytes_per_tenant = static_cast<std::uint64_t>(settings.artifacts.max_bytes)},
                program.clock()),
      pool(program.executor(), program.clock(), PoolConfigFrom(settings), FactoryFrom(settings)),
      sessions(program.executor(), program.clock(), pool,
               SessionsFrom(settings, parts.request_rule)),
      leases(program.executor(), program.clock(), *parts.store,
             {.owner = kernel::OwnLeaseOwner(),
              .ttl = settings.leases.ttl,
              .heartbeat = settings.leases.ttl / 3}),
      actions(program.executor(), program.clock(), *parts.store),
      index(program.executor(), *parts.store, settings.data.dir),
      rules(parts.rules),
      epochs(leases, program.clock()),
      load(program.clock(), LoadLimitsFrom(settings)),
      gates(GatesOf(contract, rules, epochs, load)),
      runtime(program.executor(), program.clock(),
              {.sessions = sessions,
               .leases = leases,
               .actions = actions,
               .gates = gates,
               .ledger = *parts.ledger,
               .scrubber = *parts.scrubber,
               .epochs = epochs,
               .index = index,
               .load = load,
               .artifacts = artifacts,
               .telemetry = parts.telemetry.get()},
              RuntimeConfigFrom(settings, parts.request_rule, std::move(on_stage))) {
}

Result<RuntimeHost::Opened> RuntimeHost::OpenParts(const Settings& settings, Clock& clock) {
  const std::filesystem::path& data = settings.data.dir;
  Opened parts;
  auto rules = policy::DomainRules::Create(DomainsFrom(settings));
  if (!rules) return Fail(AsSetting(rules.error()));
  parts.rules = *std::move(rules);
  TRY_ASSIGN(parts.request_rule, engine::DomainRequestRule::Create(DomainsFrom(settings)));
  TRY(MakeDataFolder(data));
  TRY_ASSIGN(parts.store,
             store::SqliteStore::Open(data / "control.db", clock, StoreOptionsFrom(settings)));
  parts.scrubber = std::make_unique<ledger::KeyNameScrubber>();
  TRY_ASSIGN(parts.ledger, ledger::Ledger::Open(data, *parts.store, *parts.scrubber, clock,
                                                ChainOptionsFrom(settings)));
  TRY_ASSIGN(parts.telemetry, TelemetryFrom(settings));
  return parts;
}

Result<std::unique_ptr<RuntimeHost>> RuntimeHost::Open(Program& program, HostWishes wishes) {
  Settings settings = wishes.settings ? *std::move(wishes.settings) : program.settings();
  TRY_ASSIGN(Opened parts, OpenParts(settings, program.clock()));
  auto rooms = std::make_unique<Rooms>(program, std::move(settings), std::move(parts),
                                       std::move(wishes.on_stage));
  rooms->actions.Follow(rooms->parts.ledger->passed());
  rooms->sessions.Start();
  return std::unique_ptr<RuntimeHost>(new RuntimeHost(std::move(rooms)));
}

RuntimeHost::RuntimeHost(std::unique_ptr<Rooms> rooms) : rooms_(std::move(rooms)) {
}

RuntimeHost::~RuntimeHost() = default;

void RuntimeHost::WarmUp() {
  rooms_->pool.WarmUp();
}

Task<Result<std::string>> RuntimeHost::BrowserReady(CallContext ctx) {
  return rooms_->pool.Ready(std::move(ctx));
}

Result<ledger::VerifyReport> RuntimeHost::VerifyLedger() const {
  const TenantId tenant = local_caller().tenant;
  const auto paths = ledger::ChainPaths::Of(rooms_->settings.data.dir, tenant);
  return ledger::VerifyChain({.folder = paths.folder,
                              .tenant = tenant,
                              .keys = {rooms_->parts.ledger->public_key()},
                              .unsigned_tail = ledger::UnsignedTail::kAllowed});
}

Task<void> RuntimeHost::Stop(CallContext ctx) {
  co_await rooms_->runtime.Stop(ctx);
  co_await rooms_->actions.Stop();
  co_await rooms_->leases.Stop();
  co_await rooms_->sessions.Stop(ctx);
  co_await rooms_->pool.Stop(ctx);
}

engine::Runtime& RuntimeHost::runtime() {
  return rooms_->runtime;
}

browser::ArtifactManager& RuntimeHost::artifacts() {
  return rooms_->artifacts;
}

engine::Caller RuntimeHost::local_caller() const {
  return {.tenant = TenantId(rooms_->settings.tenant), .agent = "local"};
}

}  // namespace falconer::app
