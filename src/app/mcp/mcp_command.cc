#include "app/mcp/mcp_command.h"

#include <utility>

#include "api/mcp/stdio_server.h"
#include "api/tools/approval_calls.h"
#include "api/tools/catalog.h"
#include "app/mcp/lazy_host.h"
#include "app/version.h"

namespace falconer::app {
namespace {

// Everything has ended in order when this returns, whatever ended it.
Task<Result<void>> Serve(Program* program, LazyHost* host, api::ApprovalCalls* calls,
                         api::McpSetup setup, api::StdioEnds ends) {
  const auto served = co_await api::RunStdio(program->NewCall(), std::move(setup), std::move(ends));
  co_await calls->Stop(Error(ErrorCode::kCancelled, "the client has gone"));
  co_await host->Stop(program->NewCleanup());
  co_return served;
}

Result<void> ServeStdio(Program& program, const std::set<std::string_view>& groups) {
  TRY_ASSIGN(api::StdioEnds ends, api::TakeStdio());
  ClientApprovals approvals(program.settings());
  LazyHost host(program, approvals);
  api::ToolContext context(host, std::string(Version()));
  api::ApprovalCalls calls(
      program.executor(), program.clock(), approvals,
      [&context](const std::string& session) { return context.PageOf(session); },
      {.pending_after = program.settings().approvals.pending_after});
  api::McpSetup setup{.tools = calls.Wrap(api::MakeCatalog(context, groups)),
                      .identity = {.name = "falconer",
                                   .title = "Falconer",
                                   .version = std::string(Version()),
                                   .instructions = std::string(api::kInstructions)},
                      .on_first_request = [&host] { host.OpenSoon(); }};
  return program.Run(Serve(&program, &host, &calls, std::move(setup), std::move(ends)));
}

}  // namespace

int RunMcp(const Arguments& arguments, Terminal& terminal) {
  const auto groups = api::ParseGroups(arguments.tools);
  if (!groups) {
    PrintError(terminal, arguments.form(), groups.error());
    return kExitUsage;
  }
  const auto program = Program::Create(arguments, LogReader::kPerson);
  if (!program) {
    PrintError(terminal, arguments.form(), program.error());
    return kExitUsage;
  }
  const auto served = ServeStdio(**program, *groups);
  if (served) return kExitOk;
  PrintError(terminal, arguments.form(), served.error());
  return (*program)->FailureCode();
}

}  // namespace falconer::app
