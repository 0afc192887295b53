#include "app/serve/serve_command.h"

#include <fmt/format.h>
#include <utility>

#include "api/http/front_desk.h"
#include "api/http/routes.h"
#include "api/tools/catalog.h"
#include "app/mcp/lazy_host.h"
#include "app/serve/access_file.h"
#include "app/serve/mcp_sessions.h"
#include "app/version.h"
#include "base/async/alarm.h"
#include "net/http_server.h"

namespace falconer::app {
namespace {

// What a server on this machine is called without anybody saying so.
constexpr std::string_view kLocalNames[] = {"127.0.0.1", "localhost", "[::1]"};
// Requests that are under way when it is told to stop.
constexpr auto kDrainTime = std::chrono::seconds(10);

api::FrontDeskRules RulesFrom(const Settings& settings) {
  api::FrontDeskRules rules{.hosts = settings.serve.hosts, .origins = settings.serve.origins};
  rules.hosts.insert(rules.hosts.end(), std::begin(kLocalNames), std::end(kLocalNames));
  rules.hosts.push_back(settings.serve.address);
  return rules;
}

void PrintStart(Terminal& terminal, const std::string& address, std::uint16_t port,
                const std::vector<api::NewAccessKey>& made) {
  terminal.Print(fmt::format("falconer listens on http://{}:{}", address, port));
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
  net::HttpServer& server;
  std::vector<api::NewAccessKey> made;
};

Task<Result<void>> ServeHttp(Serving* serving) {
  Program& program = serving->program;
  // What cannot be opened is told at once, not to the first client.
  Result<void> done;
  if (const auto rooms = serving->host.Rooms(); !rooms) done = Fail(rooms.error());
  if (done) done = serving->server.Listen();
  if (done) {
    PrintStart(serving->terminal, program.settings().serve.address, serving->server.port(),
               serving->made);
    co_await UntilStopped(program.NewCall());
  }
  co_await serving->mcp.Stop(Error(ErrorCode::kCancelled, "the server ends"));
  co_await serving->server.Stop(
      CallContext(program.executor(), program.clock()).WithTimeout(kDrainTime));
  co_await serving->host.Stop(program.NewCleanup());
  co_return done;
}

Result<void> Serve(Program& program, Terminal& terminal, std::set<std::string_view> groups) {
  const Settings& settings = program.settings();
  TRY_ASSIGN(ServeKeys keys, LoadServeKeys(settings.data.dir));
  ClientApprovals approvals(settings);
  LazyHost host(program, approvals);
  api::McpHttp mcp(program.executor(), program.clock(),
                   McpSessions(program, host, approvals, std::move(groups)));
  api::RestContext rest{.host = host, .mcp = mcp, .version = std::string(Version())};
  api::FrontDesk desk(program.clock(), std::move(keys.keys), api::Router(api::AllRoutes(rest)),
                      RulesFrom(settings));
  net::HttpServer server(
      program.executor(), program.clock(),
      [&](net::HttpRequest request) { return desk.Answer(program.NewCall(), std::move(request)); },
      {.address = settings.serve.address, .port = static_cast<std::uint16_t>(settings.serve.port)});
  Serving serving{program, terminal, host, mcp, server, std::move(keys.made)};
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
  const auto served = Serve(**program, terminal, *std::move(groups));
  if (served) return kExitOk;
  PrintError(terminal, arguments.form(), served.error());
  return served.error().code() == ErrorCode::kInvalidSetting ? kExitUsage : kExitFailed;
}

}  // namespace falconer::app
