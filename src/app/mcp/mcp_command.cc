#include "app/mcp/mcp_command.h"

#include <utility>

#include "api/mcp/stdio_server.h"
#include "api/tools/catalog.h"
#include "app/mcp/mcp_kit.h"

namespace falconer::app {
namespace {

// Everything has ended in order when this returns, whatever ended it.
Task<Result<void>> Serve(Program* program, LazyHost* host, McpKit* kit,
                         std::set<std::string_view> groups, api::StdioEnds ends) {
  Result<void> served = co_await host->LoadNodes(program->NewCall());
  if (served) {
    api::McpSetup setup{.offer = kit->Offer(groups),
                        .identity = McpIdentity(),
                        .on_first_request = [host] { host->OpenSoon(); }};
    served = co_await api::RunStdio(program->NewCall(), std::move(setup), std::move(ends));
  }
  co_await kit->Stop(Error(ErrorCode::kCancelled, "the client has gone"));
  co_await host->Stop(program->NewCleanup());
  co_return served;
}

Result<void> ServeStdio(Program& program, const std::set<std::string_view>& groups) {
  TRY_ASSIGN(api::StdioEnds ends, api::TakeStdio());
  ClientApprovals approvals(program.settings());
  LazyHost host(program, approvals);
  McpKit kit(program, host, approvals);
  return program.Run(Serve(&program, &host, &kit, groups, std::move(ends)));
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
