#include "app/report.h"

namespace falconer::app {
namespace {

struct HintRow {
  ErrorCode code;
  std::string_view hint;
};

constexpr std::string_view kFallback =
    "`falconer doctor` checks this machine; if it finds nothing, this is worth a report";

constexpr HintRow kHints[] = {
    {ErrorCode::kInvalidArgument, "`falconer COMMAND --help` shows what a command takes"},
    {ErrorCode::kInvalidSetting, "`falconer config docs` lists every setting and what it allows"},
    {ErrorCode::kNotFound, "check the path; relative paths start at the current folder"},
    {ErrorCode::kIoError, "check that the folder may be written and has space: `falconer doctor`"},
    {ErrorCode::kBrowserLaunchFailed, "`falconer doctor` tries the browser and names the cure"},
    {ErrorCode::kBrowserGone,
     "the browser ended by itself, often for lack of memory; `falconer doctor` checks the machine"},
    {ErrorCode::kTabCrashed, "the page's process ended, often for lack of memory"},
    {ErrorCode::kTimeout, "a slow machine needs more time: --set timeouts.default=60s"},
    {ErrorCode::kWaitTimeout, "a slow machine needs more time: --set timeouts.default=60s"},
    {ErrorCode::kNetworkError, "check the address, and that connections to it are allowed"},
    {ErrorCode::kNavigationFailed,
     "a proxy.server that does not answer is the usual cause: `falconer config show`"},
    {ErrorCode::kCancelled, "nothing is left running"},
};

}  // namespace

std::string_view HintFor(ErrorCode code) {
  for (const HintRow& row : kHints) {
    if (row.code == code) return row.hint;
  }
  return kFallback;
}

void PrintJson(Terminal& terminal, const json::value& value) {
  terminal.Print(json::serialize(value));
}

void PrintError(Terminal& terminal, OutputForm form, const Error& error) {
  PrintError(terminal, form, error, HintFor(error.code()));
}

void PrintError(Terminal& terminal, OutputForm form, const Error& error, std::string_view hint) {
  if (form == OutputForm::kJson) {
    json::object body = error.ToJson();
    body["hint"] = hint;
    return PrintJson(terminal, json::object{{"ok", false}, {"error", std::move(body)}});
  }
  terminal.Complain("error: " + Describe(error));
  terminal.Complain("hint:  " + std::string(hint));
}

}  // namespace falconer::app
