#include "app/serve/serve_command.h"

#include <fmt/format.h>
#include <utility>

#include "api/http/front_desk.h"
#include "api/http/job_types.h"
#include "api/http/routes.h"
#include "api/tools/catalog.h"
#include "app/agent/agent_host.h"
#include "app/demo/demo_watch.h"
#include "app/jobs/job_host.h"
#include "app/mcp/lazy_host.h"
#include "app/predict/record_watch.h"
#include "app/serve/access_file.h"
#include "app/serve/console_link.h"
#include "app/serve/mcp_sessions.h"
#include "app/serve/rest_tools.h"
#include "app/serve/serve_settings.h"
#include "app/version.h"
#include "base/async/alarm.h"
#include "base/log.h"
#include "net/http_server.h"

namespace falconer::app {
namespace {

// Requests that are under way when it is told to stop.
constexpr auto kDrainTime = std::chrono::seconds(10);
// Viewers say little; and what waits for one who is slow would only be old when it comes.
constexpr net::WebSocketOptions kViewerSockets = {
    .ping_interval = std::chrono::seconds(15),
    .max_message_bytes = std::size_t{64} << 10,
    .max_queued_bytes = std::size_t{32} << 20,
    .send_buffer_bytes = std::size_t{256} << 10,
};

// What goes on beside the server is there to be watched.
browser::StreamOptions StreamFrom(const Settings::Stream& stream, const ServeGuest* guest) {
  return {.is_enabled = stream.enabled || guest != nullptr,
          .quality = static_cast<int>(stream.quality),
          .max_width = static_cast<int>(stream.max_width),
          .max_fps = static_cast<int>(stream.max_fps),
          .max_viewers = static_cast<std::size_t>(stream.viewers)};
}

std::string UrlOf(const Settings& settings, std::uint16_t port) {
  return fmt::format("{}://{}:{}", ServeScheme(settings), HostOf(settings.serve.address), port);
}

// Keys would travel in the clear.
void WarnOfPlainHttp(Terminal& terminal, const Settings& settings) {
  const std::string& address = settings.serve.address;
  if (ServeScheme(settings) == "https" || IsLoopback(address)) return;
  terminal.Complain(fmt::format(
      "warning: {} can be reached by other machines, and keys travel there in the clear: set "
      "serve.tls_cert and serve.tls_key, or let only a proxy with TLS reach it",
      address));
  LOG(warn, "serve.in_the_clear", {"address", address});
}

void PrintStart(Terminal& terminal, const Settings& settings, const std::string& url,
                const std::vector<api::NewAccessKey>& made) {
  WarnOfPlainHttp(terminal, settings);
  terminal.Print("falconer listens on " + url);
  if (made.empty()) return;
  terminal.Print("keys, told only this once (Authorization: Bearer KEY):");
  for (const api::NewAccessKey& key : made)
    terminal.Print(fmt::format("  {:<9} {}", NameIn(api::kRoles, key.role), key.key));
}

// Until somebody says to stop.
Task<void> UntilStopped(CallContext ctx) {
  Alarm never(ctx.executor(), ctx.clock());
  static_cast<void>(co_await ctx.Wait(&never, "the end"));
}

// One server at work.
struct Serving {
  Program& program;
  Terminal& terminal;
  LazyHost& host;
  api::McpHttp& mcp;
  RestTools& tools;
  agent::JobQueue& jobs;
  api::LedgerTail& tail;
  api::StreamDesk& streams;
  agent::RunDesk& runs;
  api::RestContext& rest;
  net::HttpServer& server;
  ServeGuest* guest;                // null without one
  const ConsoleLink* console_link;  // null unless somebody asked for it
  Settings settings;                // of what the host opens
  std::vector<api::NewAccessKey> made;
};

Result<void> Listen(const Serving& serving) {
  const auto listens = serving.server.Listen();
  if (listens) return {};
  return Fail(Error(listens.error().code(), std::string(listens.error().message()),
                    {{kSettingDetail, "serve.port"}}));
}

Result<void> OpenJobs(const Serving& serving, std::unique_ptr<JobHost>& jobs) {
  TRY_ASSIGN(const api::ToolRooms rooms, serving.host.Rooms());
  TRY_ASSIGN(jobs, JobHost::Open(serving.settings, rooms));
  return {};
}

// What the guest made of its part counts; it ends before the rooms do.
Task<Result<void>> UntilOver(Serving* serving) {
  const CallContext ctx = serving->program.NewCall();
  ServeGuest* const guest = serving->guest;
  if (guest == nullptr) {
    co_await UntilStopped(ctx);
    co_return Result<void>();
  }
  guest->Start([&host = serving->host] { return host.Rooms(); });
  auto done = co_await guest->UntilOver(ctx);
  auto finished = co_await guest->Finish();
  co_return done ? std::move(finished) : std::move(done);
}

Task<Result<void>> ServeHttp(Serving* serving) {
  Program& program = serving->program;
  // What cannot be opened is told at once, not to the first client.
  std::unique_ptr<JobHost> jobs;
  Result<void> done = co_await serving->host.LoadNodes(program.NewCall());
  if (done) serving->rest.tools = serving->tools.Catalogs(serving->rest.tool_groups);
  if (done) done = OpenJobs(*serving, jobs);
  if (done) done = Listen(*serving);
  if (done) serving->jobs.Start(jobs->ground());
  if (done) {
    const std::string url = UrlOf(program.settings(), serving->server.port());
    PrintStart(serving->terminal, program.settings(), url, serving->made);
    if (serving->console_link != nullptr) serving->console_link->Show(url, serving->terminal);
    done = co_await UntilOver(serving);
  }
  const Error ends(ErrorCode::kCancelled, "the server ends");
  co_await serving->mcp.Stop(ends);
  co_await serving->tools.Stop(ends);
  co_await serving->jobs.Stop(ends);
  co_await serving->runs.Stop(ends);
  co_await serving->tail.Stop();
  co_await serving->streams.Stop(ends);
  co_await serving->server.Stop(
      CallContext(program.executor(), program.clock()).WithTimeout(kDrainTime));
  co_await serving->host.Stop(program.NewCleanup());
  if (serving->guest != nullptr) co_await serving->guest->Stop(program.NewCleanup());
  co_return done;
}

// The demo, a recording, or nobody.
Result<std::unique_ptr<ServeGuest>> GuestFor(Program& program, Terminal& terminal,
                                             const Arguments& arguments) {
  if (arguments.plays_demo) return DemoWatch::Open(program, terminal);
  if (arguments.learned.empty()) return nullptr;
  return std::make_unique<RecordWatch>(program, terminal, arguments);
}

Result<void> Serve(Program& program, Terminal& terminal, std::set<std::string_view> groups,
                   const Arguments& arguments) {
  const Settings& settings = program.settings();
  TRY_ASSIGN(auto tls, ServeTlsFrom(settings));
  TRY_ASSIGN(const api::ProtectedResource resource, ServeResourceFrom(settings));
  TRY_ASSIGN(ServeKeys keys, LoadServeKeys(settings.data.dir));
  std::optional<ConsoleLink> console_link;
  if (arguments.opens_console) console_link.emplace(settings.data.dir, keys.keys);
  ClientApprovals approvals(settings);
  TRY_ASSIGN(const auto guest, GuestFor(program, terminal, arguments));
  const HostWishes wishes = guest ? guest->Wishes() : HostWishes();
  LazyHost host(program, approvals, wishes);
  api::McpHttp mcp(program.executor(), program.clock(),
                   McpSessions(program, host, approvals, groups));
  agent::JobQueue jobs(program.executor(), program.clock(), JobLimitsFrom(settings));
  api::LedgerTail tail(program.executor(), program.clock());
  api::StreamDesk streams(program.executor(), program.clock(),
                          StreamFrom(settings.stream, guest.get()));
  TRY_ASSIGN(const agent::RunConfig run_limits, agent::RunConfigFrom(settings));
  TRY_ASSIGN(const auto agents, AgentHost::Open(program, host));
  agent::RunDesk runs(program.executor(), program.clock(), agents.get(), run_limits);
  RestTools tools(program, host, approvals);
  api::RestContext rest{.host = host,
                        .mcp = mcp,
                        .jobs = jobs,
                        .tail = tail,
                        .streams = streams,
                        .version = std::string(Version()),
                        .tool_groups = std::move(groups),
                        .resource = resource,
                        .approvals = &approvals,
                        .runs = &runs};
  api::OfferJobTypes(rest);
  api::FrontDesk desk(program.clock(), std::move(keys.keys), api::Router(api::AllRoutes(rest)),
                      ServeRulesFrom(settings, resource));
  net::HttpServer server(
      program.executor(), program.clock(),
      [&](net::HttpRequest request) { return desk.Answer(program.NewCall(), std::move(request)); },
      {.address = settings.serve.address,
       .port = static_cast<std::uint16_t>(settings.serve.port),
       .websocket = kViewerSockets,
       .tls = std::move(tls)});
  Serving serving{.program = program,
                  .terminal = terminal,
                  .host = host,
                  .mcp = mcp,
                  .tools = tools,
                  .jobs = jobs,
                  .tail = tail,
                  .streams = streams,
                  .runs = runs,
                  .rest = rest,
                  .server = server,
                  .guest = guest.get(),
                  .console_link = console_link ? &*console_link : nullptr,
                  .settings = wishes.settings.value_or(settings),
                  .made = std::move(keys.made)};
  return program.Run(ServeHttp(&serving));
}

}  // namespace

int RunServe(const Arguments& arguments, Terminal& terminal) {
  auto groups = api::ParseGroups(arguments.tools);
  if (!groups) {
    PrintError(terminal, arguments.form(), groups.error());
    return kExitUsage;
  }
  const auto program = Program::Create(arguments, LogReader::kOperator);
  if (!program) {
    PrintError(terminal, arguments.form(), program.error());
    return kExitUsage;
  }
  const auto served = Serve(**program, terminal, *std::move(groups), arguments);
  if (served) return kExitOk;
  PrintError(terminal, arguments.form(), served.error());
  return served.error().code() == ErrorCode::kInvalidSetting ? kExitUsage : kExitFailed;
}

}  // namespace falconer::app
