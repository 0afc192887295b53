// The record of what was done.

#include <utility>

#include "api/http/problem.h"
#include "api/http/routes.h"
#include "api/tools/aside.h"
#include "ledger/verifier.h"

namespace falconer::api {
namespace {

constexpr RoleSet kAuditing = {Role::kViewer, Role::kApprover, Role::kOperator};

Task<Result<net::HttpResponse>> VerifyLedger(RestContext* context, CallContext ctx) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  const ledger::Ledger& ledger = rooms.runtime->parts().ledger;
  ledger::VerifyInput input{
      .folder = ledger::ChainPaths::Of(ledger.data_folder(), rooms.caller.tenant).folder,
      .keys = {ledger.public_key()},
      // The last records of a server at work are not signed yet.
      .unsigned_tail = ledger::UnsignedTail::kAllowed};
  CO_TRY_ASSIGN(const auto report, co_await Aside(std::move(ctx), [input = std::move(input)] {
                  return ledger::VerifyChain(input);
                }));
  co_return JsonResponse(200, report.ToJson());
}

}  // namespace

std::vector<Route> LedgerRoutes(RestContext& context) {
  return {{.method = "GET",
           .pattern = "/v1/ledger/verification",
           .tag = "ledger",
           .summary = "Check every record, hash and signature.",
           .roles = kAuditing,
           .handler = [context = &context](CallContext ctx, RouteCall) {
             return VerifyLedger(context, std::move(ctx));
           }}};
}

}  // namespace falconer::api
