#include "browser/frames/page_script.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "browser/frames/frame_tree.h"
#include "browser/frames/injected_bundle.h"
#include "browser/frames/script_exception.h"

namespace falconer::browser {
namespace {

// How the browser says that it stopped a script because its time was up.
constexpr std::string_view kTerminated = "Internal error";
constexpr auto kAnswerMargin = std::chrono::milliseconds(50);
constexpr auto kAnswerGrace = std::chrono::milliseconds(100);
constexpr auto kLongestPageWait = std::chrono::minutes(10);

struct ScriptFailure {
  std::string_view name;
  ErrorCode code;
};

constexpr ScriptFailure kFailures[] = {
    {"target_not_found", ErrorCode::kElementNotFound},
    {"target_ambiguous", ErrorCode::kElementAmbiguous},
    {"stale_ref", ErrorCode::kStaleRef},
    {"invalid_selector", ErrorCode::kInvalidSelector},
    {"invalid_argument", ErrorCode::kInvalidArgument},
    {"not_visible", ErrorCode::kElementNotVisible},
    {"not_enabled", ErrorCode::kElementNotEnabled},
    {"not_editable", ErrorCode::kElementNotEditable},
    {"not_stable", ErrorCode::kElementNotStable},
    {"obscured", ErrorCode::kElementObscured},
    {"outside_viewport", ErrorCode::kElementNotVisible},
    {"detached", ErrorCode::kElementDetached},
    {"wrong_element", ErrorCode::kWrongElement},
    {"option_not_found", ErrorCode::kOptionNotFound},
    {"wrong_value", ErrorCode::kInvalidArgument},
    {"secret_field", ErrorCode::kSecretField},
    {"timeout", ErrorCode::kWaitTimeout},
    {"late", ErrorCode::kTimeout},
    {"cancelled", ErrorCode::kCancelled},
};

Error ToError(const json::object& failure) {
  json::object details;
  for (const std::string_view key : {"candidates", "detail"}) {
    if (const json::value* value = failure.if_contains(key)) details[key] = *value;
  }
  return Error(CodeOfScriptFailure(TextAt(failure, "code")), TextAt(failure, "message"),
               std::move(details));
}

Result<void> StillThere(const ScriptCall& call) {
  if (call.frame->is_detached) return Fail(ErrorCode::kFrameDetached, "the frame is gone");
  if (!call.document->is_current) {
    return Fail(ErrorCode::kContextDestroyed, "the page has navigated away");
  }
  return {};
}

// The context of the named world in the call's document; made when it is not there yet.
Task<Result<std::string>> ContextFor(CallContext ctx, ScriptCall call, std::string world) {
  CO_TRY(StillThere(call));
  auto found = call.document->worlds.find(world);
  if (found == call.document->worlds.end()) {
    CO_TRY(co_await call.frame->session->Send(
        ctx, cdp::PageCreateIsolatedWorld{.frame_id = call.frame->id,
                                          .world_name = call.document->WorldName(world)}));
    // The world was announced by an event just before the reply; a navigation may have come
    // between.
    found = call.document->worlds.find(world);
    if (found == call.document->worlds.end()) {
      co_return Fail(ErrorCode::kContextDestroyed, "the page has navigated away");
    }
  }
  co_return found->second.unique_context_id;
}

// Sends the bundle ahead of the first call; the browser runs them in order. It is upkeep: a bundle
// that stayed behind when its action was called off would be missed by every later call.
void BringScript(const ScriptCall& call, const std::string& context) {
  World& world = call.document->worlds.find(kScriptWorld)->second;
  if (world.has_bundle) return;
  const auto sent = call.frame->session->PostUpkeep(cdp::RuntimeEvaluate{
      .expression = std::string(InjectedBundle()), .unique_context_id = context, .silent = true});
  // Answered at once means refused: the page shows a dialog or is gone.
  world.has_bundle = !sent.is_answered();
}

enum class Returning { kValue, kObject };

// As an expression: for a call with arguments the browser would compile each of them as a script.
// Never as a user gesture: being read must not let a page open popups.
cdp::RuntimeEvaluate CallCommand(const std::string& context, std::string_view name,
                                 const json::object& args, Returning returning) {
  return {
      .expression = "__falconer.call(\"" + std::string(name) + "\"," + json::serialize(args) + ")",
      .unique_context_id = context,
      .return_by_value = returning == Returning::kValue,
      .await_promise = true,
      .silent = true};
}

// Before the call that it could matter to. Upkeep, like the script itself.
void TellSecrets(const ScriptCall& call, const std::string& context) {
  World& world = call.document->worlds.find(kScriptWorld)->second;
  const TypedSecrets& secrets = *call.document->secrets;
  if (world.secrets_told == secrets.count()) return;
  json::array list;
  for (const std::string_view value : secrets.For(call.document->host(), world.secrets_told))
    list.push_back(json::object{{"value", value}});
  if (!list.empty()) {
    const auto sent = call.frame->session->PostUpkeep(
        CallCommand(context, "learn_secrets", {{"secrets", std::move(list)}}, Returning::kValue));
    if (sent.is_answered()) return;
  }
  world.secrets_told = secrets.count();
}

Result<cdp::RemoteObject> ResultOf(Result<cdp::RuntimeEvaluate::Reply> reply) {
  TRY(reply);
  if (reply->exception_details) return std::unexpected(ScriptException(*reply->exception_details));
  return std::move(reply->result);
}

Task<Result<cdp::RemoteObject>> Call(CallContext ctx, ScriptCall call, std::string name,
                                     json::object args, Returning returning) {
  CO_TRY_ASSIGN(const std::string context,
                co_await ContextFor(ctx, call, std::string(kScriptWorld)));
  BringScript(call, context);
  TellSecrets(call, context);
  // A page that ends its waits by itself knows best why; on a busy machine it says so a little
  // late.
  const CallContext patience = args.contains("timeout_ms") ? ctx.WithGrace(kAnswerGrace) : ctx;
  args["doc"] = call.document->ordinal;
  cdp::Session& page = *call.frame->session;
  const cdp::RuntimeEvaluate command = CallCommand(context, name, args, returning);
  auto pending =
      call.asks == ScriptCall::Asks::kFence ? page.Post(command) : page.PostUpkeep(command);
  LinkedCancelSource no_longer(ctx.cancel());
  no_longer.Follow(call.document->over.token());
  co_return ResultOf(co_await pending.Wait(patience.WithCancel(no_longer.token())));
}

// A function of the script answers with an object, and with its failure inside one.
Result<json::object> ObjectOf(cdp::RemoteObject result) {
  if (!result.value || !result.value->is_object())
    return Fail(ErrorCode::kScriptError, "the script returned no object");
  json::object& object = result.value->get_object();
  if (const json::value* error = object.if_contains("error");
      error != nullptr && error->is_object()) {
    return std::unexpected(ToError(error->get_object()));
  }
  return std::move(object);
}

}  // namespace

void PostGuest(const ScriptCall& call, std::string expression) {
  const auto world = call.document->worlds.find(kGuestWorld);
  if (world == call.document->worlds.end()) return;
  call.frame->session->PostUpkeep(
      cdp::RuntimeEvaluate{.expression = std::move(expression),
                           .unique_context_id = world->second.unique_context_id,
                           .silent = true});
}

cdp::PageAddScriptToEvaluateOnNewDocument ScriptForMainFrame() {
  return {.source = "if(window===top){" + std::string(InjectedBundle()) + "}",
          .world_name = std::string(kReadyWorld)};
}

std::uint64_t NewCallNumber() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

std::string NewCallId() {
  return "call" + std::to_string(NewCallNumber());
}

std::int64_t PageTimeout(const CallContext& ctx) {
  const auto left = std::min<Duration>(ctx.TimeLeft(), kLongestPageWait);
  const auto margin = std::min<Duration>(kAnswerMargin, left / 4);
  return std::chrono::duration_cast<std::chrono::milliseconds>(left - margin).count();
}

bool IsDocumentGone(ErrorCode code) {
  return code == ErrorCode::kContextDestroyed || code == ErrorCode::kFrameDetached ||
         code == ErrorCode::kTargetDetached;
}

ErrorCode CodeOfScriptFailure(std::string_view code) {
  for (const ScriptFailure& failure : kFailures) {
    if (failure.name == code) return failure.code;
  }
  return ErrorCode::kScriptError;
}

Task<Result<json::object>> CallScript(CallContext ctx, ScriptCall call, std::string name,
                                      json::object args) {
  CO_TRY_ASSIGN(auto result, co_await Call(std::move(ctx), std::move(call), std::move(name),
                                           std::move(args), Returning::kValue));
  co_return ObjectOf(std::move(result));
}

void PostScript(const ScriptCall& call, std::string_view name, json::object args) {
  const auto world = call.document->worlds.find(kScriptWorld);
  if (world == call.document->worlds.end()) return;
  call.frame->session->PostUpkeep(
      CallCommand(world->second.unique_context_id, name, args, Returning::kValue));
}

Task<Result<std::string>> CallScriptForElement(CallContext ctx, ScriptCall call, std::string name,
                                               json::object args) {
  CO_TRY_ASSIGN(auto result, co_await Call(std::move(ctx), std::move(call), name, std::move(args),
                                           Returning::kObject));
  if (result.subtype != "node" || !result.object_id) {
    co_return Fail(ErrorCode::kElementNotFound, "no such element");
  }
  co_return *result.object_id;
}

Task<Result<json::value>> EvaluateGuest(CallContext ctx, ScriptCall call, std::string expression,
                                        json::value argument) {
  CO_TRY_ASSIGN(const std::string context,
                co_await ContextFor(ctx, call, std::string(kGuestWorld)));
  // A loop without end is stopped by the browser; waiting without end is for the deadline.
  const cdp::RuntimeEvaluate command{
      .expression = "(async arg=>{const v=(" + expression +
                    "\n);return typeof v==='function'?await v(arg):await v})(JSON.parse(" +
                    json::serialize(json::value(json::serialize(argument))) + "))",
      .unique_context_id = context,
      .return_by_value = true,
      .await_promise = true,
      .timeout = static_cast<double>(PageTimeout(ctx)),
      .silent = true};
  auto pending = call.frame->session->Post(command);
  LinkedCancelSource no_longer(ctx.cancel());
  no_longer.Follow(call.document->over.token());
  auto answer = co_await pending.Wait(ctx.WithGrace(kAnswerGrace).WithCancel(no_longer.token()));
  if (!answer && answer.error().message().ends_with(kTerminated)) {
    co_return Fail(ErrorCode::kTimeout, "the script ran longer than it may");
  }
  CO_TRY_ASSIGN(auto reply, std::move(answer));
  if (reply.exception_details) co_return std::unexpected(ScriptException(*reply.exception_details));
  if (reply.result.unserializable_value) {
    co_return Fail(ErrorCode::kScriptError, "the result is no JSON value");
  }
  co_return reply.result.value.value_or(json::value());
}

}  // namespace falconer::browser
