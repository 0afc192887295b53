// What people are asked, and their answers.

#include <utility>

#include "api/http/problem.h"
#include "api/http/routes.h"

namespace falconer::api {
namespace {

constexpr RoleSet kSeeing = {Role::kViewer, Role::kApprover, Role::kOperator};
constexpr RoleSet kDeciding = {Role::kApprover, Role::kOperator};
constexpr std::string_view kChannel = "rest";

Task<Result<net::HttpResponse>> ListApprovals(RestContext* context, CallContext, RouteCall) {
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  json::array list;
  for (const auto& request : rooms.runtime->parts().control.approvals.Pending())
    list.push_back(request.ToJson());
  co_return JsonResponse(200, json::object{{"approvals", std::move(list)}});
}

model::ApprovalDecision ReadDecision(JsonReader& in) {
  return {.request_id = "",
          .answer =
              in.Bool("approved") ? model::ApprovalAnswer::kApprove : model::ApprovalAnswer::kDeny,
          .approver = in.String("approver", {1, 128}),
          .rank = model::ApproverRank::kHuman,
          .channel = std::string(kChannel),
          .reason = in.OptionalString("reason", {0, 1000}).value_or(""),
          .decided = {}};
}

// Whoever holds the key says who he is; that goes on record with the decision.
Task<Result<net::HttpResponse>> DecideApproval(RestContext* context, CallContext, RouteCall call) {
  CO_TRY_ASSIGN(const auto body, call.Body());
  CO_TRY_ASSIGN(auto decision, ReadJson(body, "decision", ReadDecision));
  CO_TRY_ASSIGN(const ToolRooms rooms, context->Rooms());
  decision.request_id = call.At("approval");
  decision.decided = rooms.runtime->clock().WallNow();
  CO_TRY_ASSIGN(const auto record,
                co_await rooms.runtime->parts().control.approvals.Decide(std::move(decision)));
  co_return JsonResponse(200, record.ToJson());
}

}  // namespace

std::vector<Route> ApprovalRoutes(RestContext& context) {
  return {{.method = "GET",
           .pattern = "/v1/approvals",
           .tag = "approvals",
           .summary = "What this server waits for people to decide, oldest first.",
           .roles = kSeeing,
           .handler = Handle<ListApprovals>(context)},
          {.method = "POST",
           .pattern = "/v1/approvals/{approval}/decision",
           .tag = "approvals",
           .summary = "Approve or deny, by name and with a reason.",
           .roles = kDeciding,
           .handler = Handle<DecideApproval>(context),
           .body = "Decision"}};
}

}  // namespace falconer::api
