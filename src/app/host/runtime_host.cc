#include "app/host/runtime_host.h"

#include "agent/advice/model_adviser.h"
#include "agent/crawl/crawl_desk.h"
#include "agent/providers/make_providers.h"
#include "app/egress/egress_host.h"
#include "app/host/control_rooms.h"
#include "app/host/control_settings.h"
#include "app/host/data_rooms.h"
#include "app/host/ghost_host.h"
#include "app/host/learning_node.h"
#include "app/host/predict_settings.h"
#include "app/secrets/secret_sources.h"
#include "app/telemetry/otlp_exporter.h"
#include "app/version.h"
#include "base/log.h"
#include "base/random.h"
#include "engine/domain_request_rule.h"
#include "engine/read_contract.h"
#include "kernel/leases/lease_owner.h"
#include "predict/predict_desk.h"

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

browser::BrowserFactory FactoryFrom(const Settings& settings, const EgressHost* egress) {
  browser::BrowserConfig config = BrowserConfigFrom(settings);
  config.shared_workers = browser::SharedWorkers::kNone;
  if (egress != nullptr) config.egress_proxy = egress->address();
  return [config, attach_url = settings.browser.attach_url, limits = BrowserLimitsFrom(settings)](
             CallContext ctx) { return OpenBrowser(std::move(ctx), config, attach_url, limits); };
}

// Of every session.
browser::SessionOptions SessionFrom(const Settings& settings,
                                    std::shared_ptr<browser::RequestRule> rule,
                                    const EgressHost* egress) {
  browser::SessionOptions options = SessionOptionsFrom(settings);
  options.request_rule = std::move(rule);
  if (egress != nullptr) options.egress = egress->door();
  return options;
}

browser::SessionManagerConfig SessionsFrom(const Settings& settings,
                                           browser::SessionOptions defaults) {
  return {.max_sessions = static_cast<std::size_t>(settings.sessions.max),
          .acquire_timeout = settings.sessions.acquire_timeout,
          .prewarmed = static_cast<std::size_t>(settings.sessions.prewarmed),
          .defaults = std::move(defaults)};
}

kernel::LoadLimits LoadLimitsFrom(const Settings& settings) {
  return {.running = static_cast<std::size_t>(settings.capacity.running),
          .running_per_tenant = static_cast<std::size_t>(settings.capacity.running_per_tenant),
          .queued = static_cast<std::size_t>(settings.capacity.waiting)};
}

std::optional<model::RiskLevel> AskFrom(AskFromSetting setting) {
  switch (setting) {
    case AskFromSetting::kNever:
      return std::nullopt;
    case AskFromSetting::kMedium:
      return model::RiskLevel::kMedium;
    case AskFromSetting::kHigh:
      return model::RiskLevel::kHigh;
    case AskFromSetting::kCritical:
      return model::RiskLevel::kCritical;
  }
  std::unreachable();
}

engine::RuntimeConfig RuntimeConfigFrom(const Settings& settings, browser::SessionOptions session,
                                        std::function<void(engine::TurnStage)> on_stage) {
  return {
      .drive = {.driver = DriverLimitsFrom(settings), .state = StateLimitsFrom(settings)},
      .session = std::move(session),
      .on_stage = std::move(on_stage),
      // Those with a browser, and those that wait for one.
      .max_sessions = static_cast<std::size_t>(settings.sessions.max + settings.capacity.running),
      .ask_from = AskFrom(settings.approvals.from_risk),
      .idle_close = settings.sessions.idle_close,
      .admission_policy = {{"running", settings.capacity.running},
                           {"running_per_tenant", settings.capacity.running_per_tenant}},
      .policy = {{"execution_profile", "simple"}}};
}

Result<std::unique_ptr<kernel::TelemetrySink>> TelemetryFrom(const Settings& settings,
                                                             kernel::LineFilter filter) {
  if (!settings.telemetry.enabled) return nullptr;
  const auto file = settings.telemetry.file.empty() ? settings.data.dir / "telemetry.jsonl"
                                                    : settings.telemetry.file;
  TRY_ASSIGN(auto sink, kernel::TelemetrySink::Open(file, {}, std::move(filter)));
  return std::make_unique<kernel::TelemetrySink>(std::move(sink));
}

Result<std::unique_ptr<EgressHost>> EgressFrom(const Settings& settings,
                                               const policy::DomainRules& rules) {
  if (!settings.egress.enabled) return nullptr;
  TRY_ASSIGN(EgressConfig config, EgressConfigFrom(settings));
  return EgressHost::Start(std::move(config), rules);
}

Task<Result<std::string>> RevealFor(engine::SecretDesk* secrets, CallContext ctx,
                                    engine::SecretAsk ask) {
  CO_TRY_ASSIGN(const policy::SecretText secret,
                co_await secrets->Resolve(std::move(ctx), std::move(ask)));
  co_return std::string(secret.Reveal());
}

Result<std::unique_ptr<OtlpExporter>> SpansFrom(const Settings& settings,
                                                const RedactionHost& redaction,
                                                engine::SecretDesk& secrets) {
  TRY_ASSIGN(auto config, OtlpFrom(settings));
  if (!config) return nullptr;
  OtlpParts parts{.resource = {.version = std::string(Version()), .instance = RandomId()},
                  .filter = redaction.span_filter(),
                  .reveal = [desk = &secrets, url = config->url](
                                CallContext ctx, policy::SecretReference reference) {
                    return RevealFor(desk, std::move(ctx),
                                     {.reference = std::move(reference), .url = url});
                  }};
  return OtlpExporter::Start(*std::move(config), std::move(parts));
}

// Null unless it is to be asked.
Result<std::unique_ptr<agent::Provider>> ModelFrom(const Settings& settings, Clock& clock,
                                                   engine::SecretDesk& secrets) {
  if (!settings.predict.ask_model) return nullptr;
  return agent::MakeProviders(clock, settings.agent.providers, agent::KeysFrom(&secrets));
}

// A bad pattern is a bad setting.
Error AsSetting(const Error& error) {
  return {ErrorCode::kInvalidSetting, "policy: " + std::string(error.message())};
}

}  // namespace

// What must be opened before the rest can be made.
struct RuntimeHost::Opened {
  std::unique_ptr<DataRooms> data;
  // Of those.
  store::SqliteStore* store = nullptr;
  RedactionHost* redaction = nullptr;
  ledger::Ledger* ledger = nullptr;
  std::unique_ptr<engine::SecretDesk> secrets;
  std::unique_ptr<ControlRooms> control;
  std::unique_ptr<kernel::TelemetrySink> telemetry;
  std::unique_ptr<OtlpExporter> spans;  // null without a collector
  std::unique_ptr<GhostHost> ghost;
  policy::DomainRules rules;
  std::shared_ptr<engine::DomainRequestRule> request_rule;
  std::unique_ptr<EgressHost> egress;  // null without one
  std::optional<LearningNode> node;
  // Asked where no prediction is sure enough; null unless the settings want it.
  std::unique_ptr<agent::Provider> model;
  std::unique_ptr<agent::ModelAdviser> adviser;
};

struct RuntimeHost::Rooms {
  Rooms(Program& program, Settings chosen, Opened opened,
        std::function<void(engine::TurnStage)> on_stage);

  Settings settings;
  Opened parts;
  api::ControlPanel panel;
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
  predict::PredictDesk predict;
  engine::Runtime runtime;
  agent::CrawlDesk crawls;
};

RuntimeHost::Rooms::Rooms(Program& program, Settings chosen, Opened opened,
                          std::function<void(engine::TurnStage)> on_stage)
    : settings(std::move(chosen)),
      parts(std::move(opened)),
      panel(parts.control->Panel()),
      artifacts({.root = ArtifactsFolder(settings),
                 .inbox = settings.artifacts.inbox,
                 .max_bytes_per_tenant = static_cast<std::uint64_t>(settings.artifacts.max_bytes)},
                program.clock()),
      pool(program.executor(), program.clock(), PoolConfigFrom(settings),
           FactoryFrom(settings, parts.egress.get())),
      sessions(
          program.executor(), program.clock(), pool,
          SessionsFrom(settings, SessionFrom(settings, parts.request_rule, parts.egress.get()))),
      leases(program.executor(), program.clock(), *parts.store,
             {.owner = kernel::OwnLeaseOwner(),
              .ttl = settings.leases.ttl,
              .heartbeat = settings.leases.ttl / 3}),
      actions(program.executor(), program.clock(), *parts.store),
      index(program.executor(), *parts.store, settings.data.dir),
      rules(parts.rules),
      epochs(leases, program.clock()),
      load(program.clock(), LoadLimitsFrom(settings)),
      gates(parts.control->Gates(contract, rules, epochs, load)),
      predict({.learnt = *parts.store,
               .workflows = *parts.store,
               .clock = program.clock(),
               .executor = program.executor(),
               .node = parts.node->name(),
               .rules = PredictRulesFrom(settings),
               .adviser = parts.adviser.get()}),
      runtime(
          program.executor(), program.clock(),
          {.sessions = sessions,
           .leases = leases,
           .actions = actions,
           .gates = gates,
           .ledger = *parts.ledger,
           .scrubber = parts.redaction->scrubber(),
           .epochs = epochs,
           .index = index,
           .load = load,
           .artifacts = artifacts,
           .control = parts.control->desks(),
           .pauses = parts.control->pauses(),
           .breakers = parts.control->breakers(),
           .telemetry = parts.telemetry.get(),
           .secrets = parts.secrets.get(),
           .spans = parts.spans.get(),
           .vision = parts.ghost->gate(),
           .watch = &predict},
          RuntimeConfigFrom(settings, SessionFrom(settings, parts.request_rule, parts.egress.get()),
                            std::move(on_stage))),
      crawls(settings.crawl, settings.data.dir / "crawl") {
  predict.Use(runtime);
}

Result<RuntimeHost::Opened> RuntimeHost::OpenParts(Program& program, const Settings& settings,
                                                   const std::vector<std::string>& environment) {
  Clock& clock = program.clock();
  Opened parts;
  const policy::DomainConfig domains = DomainsFrom(settings);
  auto rules = policy::DomainRules::Create(domains);
  if (!rules) return Fail(AsSetting(rules.error()));
  parts.rules = *std::move(rules);
  parts.request_rule = std::make_shared<engine::DomainRequestRule>(parts.rules, domains);
  TRY_ASSIGN(parts.egress, EgressFrom(settings, parts.rules));
  TRY_ASSIGN(parts.data, DataRooms::OpenWhole(settings, clock));
  TRY_ASSIGN(parts.store, parts.data->store());
  TRY_ASSIGN(parts.redaction, parts.data->redaction());
  TRY_ASSIGN(parts.ledger, parts.data->ledger());
  std::vector<std::string> lines = ProcessEnvironment();
  lines.insert(lines.end(), environment.begin(), environment.end());
  TRY_ASSIGN(auto sources, SecretSourcesFrom(settings, lines));
  parts.secrets =
      std::make_unique<engine::SecretDesk>(clock, parts.redaction->redactor(), std::move(sources));
  TRY_ASSIGN(parts.control, ControlRooms::Open({.program = program,
                                                .settings = settings,
                                                .store = *parts.store,
                                                .ledger = *parts.ledger,
                                                .redactor = parts.redaction->redactor()}));
  TRY_ASSIGN(parts.telemetry, TelemetryFrom(settings, parts.redaction->telemetry_filter()));
  TRY_ASSIGN(parts.spans, SpansFrom(settings, *parts.redaction, *parts.secrets));
  TRY_ASSIGN(parts.ghost, GhostHost::Open(settings, clock, *parts.secrets));
  TRY_ASSIGN(parts.node, LearningNode::Take(settings.data.dir));
  TRY_ASSIGN(parts.model, ModelFrom(settings, clock, *parts.secrets));
  if (parts.model) parts.adviser = std::make_unique<agent::ModelAdviser>(*parts.model);
  return parts;
}

Result<std::unique_ptr<RuntimeHost>> RuntimeHost::Open(Program& program, HostWishes wishes) {
  Settings settings = wishes.settings ? *std::move(wishes.settings) : program.settings();
  TRY_ASSIGN(Opened parts, OpenParts(program, settings, wishes.environment));
  auto rooms = std::make_unique<Rooms>(program, std::move(settings), std::move(parts),
                                       std::move(wishes.on_stage));
  rooms->actions.Follow(rooms->parts.ledger->passed());
  rooms->sessions.Start();
  rooms->parts.control->OnRecorded(
      [&actions = rooms->actions](const TenantId& tenant, std::uint64_t seq) {
        actions.Saw(tenant, seq);
      });
  rooms->parts.control->Start();
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

Task<model::TenantQuota> RuntimeHost::QuotaOf(TenantId tenant) {
  const model::TenantQuota defaults = QuotaFrom(rooms_->settings);
  const auto own = co_await rooms_->parts.store->GetQuota(std::move(tenant), defaults);
  if (!own) LOG(warn, "quota.unknown", {"why", own.error().message()});
  co_return own.value_or(defaults);
}

Task<void> RuntimeHost::Stop(CallContext ctx) {
  co_await rooms_->runtime.Stop(ctx);
  co_await rooms_->predict.Stop();
  co_await rooms_->parts.control->Stop();
  co_await rooms_->actions.Stop();
  co_await rooms_->leases.Stop();
  co_await rooms_->sessions.Stop(ctx);
  co_await rooms_->pool.Stop(ctx);
}

RedactionHost& RuntimeHost::redaction() {
  return *rooms_->parts.redaction;
}

engine::Runtime& RuntimeHost::runtime() {
  return rooms_->runtime;
}

engine::ApprovalDesk& RuntimeHost::approvals() {
  return rooms_->parts.control->approvals();
}

const agent::GhostSetup& RuntimeHost::ghost() const {
  return rooms_->parts.ghost->setup();
}

const api::ControlPanel& RuntimeHost::panel() const {
  return rooms_->panel;
}

agent::CrawlDesk& RuntimeHost::crawls() {
  return rooms_->crawls;
}

browser::ArtifactManager& RuntimeHost::artifacts() {
  return rooms_->artifacts;
}

predict::PredictDesk& RuntimeHost::predict() {
  return rooms_->predict;
}

engine::Caller RuntimeHost::local_caller() const {
  return rooms_->parts.control->LocalCaller();
}

}  // namespace falconer::app
