#include "api/mcp/completer.h"

#include <algorithm>
#include <utility>

namespace falconer::api {
namespace {

constexpr std::size_t kMostValues = 100;

struct RefRow {
  std::string_view type;
  CompletionQuestion::Of of;
  std::string_view field;
};
constexpr RefRow kRefs[] = {{"ref/prompt", CompletionQuestion::Of::kPrompt, "name"},
                            {"ref/resource", CompletionQuestion::Of::kResource, "uri"}};

std::unexpected<RpcFailure> BadQuestion(std::string message) {
  return std::unexpected(MakeRpcFailure(kRpcInvalidParams, std::move(message)));
}

const json::object* ObjectUnder(const json::object& params, std::string_view key) {
  const json::value* found = params.if_contains(key);
  return found != nullptr && found->is_object() ? &found->get_object() : nullptr;
}

std::expected<CompletionQuestion, RpcFailure> ReadQuestion(const json::object& params) {
  const json::object* ref = ObjectUnder(params, "ref");
  if (ref == nullptr) return BadQuestion("ref: expected object");
  const auto* const row = std::ranges::find(kRefs, TextAt(*ref, "type"), &RefRow::type);
  if (row == std::end(kRefs)) return BadQuestion("ref.type: expected ref/prompt or ref/resource");
  const json::object* argument = ObjectUnder(params, "argument");
  if (argument == nullptr) return BadQuestion("argument: expected object");
  CompletionQuestion question{.of = row->of,
                              .subject = TextAt(*ref, row->field),
                              .argument = TextAt(*argument, "name"),
                              .value = TextAt(*argument, "value")};
  if (question.subject.empty())
    return BadQuestion("ref." + std::string(row->field) + ": expected string");
  if (question.argument.empty()) return BadQuestion("argument.name: expected string");
  return question;
}

Task<RpcAnswer> Complete(CallContext ctx, std::shared_ptr<Completer> completer, McpCall call) {
  auto question = ReadQuestion(call.request.params);
  if (!question) co_return std::unexpected(std::move(question).error());
  const auto found = co_await completer->Complete(std::move(ctx), *std::move(question));
  if (!found) co_return std::unexpected(RpcFailureOf(found.error()));
  const std::size_t total = found->values.size();
  const std::size_t sent = std::min(total, kMostValues);
  json::array values;
  for (std::size_t i = 0; i < sent; ++i) values.emplace_back(std::string_view(found->values[i]));
  co_return json::object{
      {"completion", {{"values", std::move(values)}, {"total", total}, {"hasMore", sent < total}}}};
}

}  // namespace

McpMethod CompletionMethod(const std::shared_ptr<Completer>& completer) {
  return {.name = "completion/complete", .run = [completer](CallContext ctx, McpCall call) {
            return Complete(std::move(ctx), completer, std::move(call));
          }};
}

}  // namespace falconer::api
