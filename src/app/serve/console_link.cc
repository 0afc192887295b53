#include "app/serve/console_link.h"

#include <fmt/format.h>
#include <system_error>

#include "app/display.h"
#include "base/file.h"
#include "policy/secrets/run_command.h"

namespace falconer::app {
namespace {

// A browser that is started by this lives on by itself.
constexpr std::string_view kOpen = R"(setsid xdg-open "$0" >/dev/null 2>&1 </dev/null &)";

Result<void> OpenPage(const std::filesystem::path& page, const std::string& link) {
  TRY(WriteFileAtomic(
      page, fmt::format("<!doctype html><meta charset=utf-8><title>Falconer</title>"
                        "<meta name=referrer content=no-referrer>"
                        "<meta http-equiv=refresh content=\"0;url={0}\"><a href=\"{0}\">{0}</a>\n",
                        link)));
  TRY(policy::RunCommand({"sh", "-c", std::string(kOpen), page.string()}));
  return {};
}

}  // namespace

ConsoleLink::ConsoleLink(const std::filesystem::path& folder, api::AccessKeys& keys)
    : page_(folder / "console.html"), key_(keys.Add(api::Role::kOperator)) {
}

ConsoleLink::~ConsoleLink() {
  std::error_code ignored;
  std::filesystem::remove(page_, ignored);
}

void ConsoleLink::Show(const std::string& url, Terminal& terminal) const {
  const std::string link = fmt::format("{}/#key={}", url, key_);
  terminal.Print("console, for whoever reads this, until the server ends:");
  terminal.Print("  " + link);
  if (!HasDisplay()) return;
  const auto opened = OpenPage(page_, link);
  if (!opened) terminal.Complain("the console was not opened: " + opened.error().message());
}

}  // namespace falconer::app
