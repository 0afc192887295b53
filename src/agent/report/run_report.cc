#include "agent/report/run_report.h"

#include <algorithm>
#include <fmt/format.h>

#include "agent/loop/run_result.h"
#include "agent/report/html_text.h"
#include "base/base64.h"

namespace falconer::agent {
namespace {

constexpr std::size_t kMostPictures = 24;
constexpr std::size_t kMostPictureBytes = 16U << 20U;

// What a browser shows as a picture, and nothing that could run.
constexpr std::string_view kPictureTypes[] = {"image/png", "image/jpeg", "image/webp"};

constexpr std::string_view kReportStyle = R"css(
:root{color-scheme:light dark;--ink:#1b1f24;--dim:#5b6570;--line:#d8dee4;--paper:#fff;--box:#f6f8fa;
--good:#1a7f37;--bad:#c4292f;--hint:#9a6700}
@media(prefers-color-scheme:dark){:root{--ink:#e6edf3;--dim:#9aa4af;--line:#30363d;--paper:#0d1117;
--box:#161b22;--good:#3fb950;--bad:#ff7b72;--hint:#d29922}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem}
h1{font-size:1.35rem;margin:0 0 .25rem}h2{font-size:1.05rem;margin:2rem 0 .5rem}
.dim{color:var(--dim)}.ok{color:var(--good)}.error{color:var(--bad)}.skipped,.unknown{color:var(--hint)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:1rem 0}
dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}
.step{border:1px solid var(--line);border-radius:8px;margin:.75rem 0;padding:.75rem 1rem}
.call{border-top:1px solid var(--line);margin-top:.6rem;padding-top:.6rem}
code,pre{font:13px/1.45 ui-monospace,monospace}
pre{background:var(--box);border-radius:6px;margin:.4rem 0;max-height:24rem;overflow:auto;
padding:.6rem .75rem;white-space:pre-wrap;overflow-wrap:anywhere}
img{max-width:100%;border:1px solid var(--line);border-radius:6px;margin-top:.5rem}
.answer{border-left:3px solid var(--good);padding:.1rem 0 .1rem .9rem;white-space:pre-wrap}
)css";

// One page as it is made.
struct ReportPage {
  const PictureSource& pictures;
  std::string html = {};
  std::size_t shown = 0;
  std::size_t bytes = 0;
  std::size_t left_out = 0;

  void Fact(std::string_view name, std::string_view value) {
    html += fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, HtmlOf(value));
  }
  void Picture(const std::string& artifact) {
    const auto found = pictures ? pictures(artifact) : std::nullopt;
    const bool is_one =
        found && std::ranges::find(kPictureTypes, found->media_type) != std::end(kPictureTypes);
    if (!is_one) return;
    if (shown == kMostPictures || bytes + found->bytes.size() > kMostPictureBytes) {
      ++left_out;
      return;
    }
    ++shown;
    bytes += found->bytes.size();
    html += fmt::format("<img alt=\"{}\" src=\"data:{};base64,{}\">\n", HtmlOf(artifact),
                        found->media_type, EncodeBase64(found->bytes));
  }
};

std::int64_t ReportMs(Duration time) {
  return std::chrono::duration_cast<std::chrono::milliseconds>(time).count();
}

std::string MoneyOf(std::int64_t micros) {
  return fmt::format("{}.{:06}", micros / 1'000'000, micros % 1'000'000);
}

void PutCall(ReportPage& page, const RunCall& call) {
  const std::string_view status = NameIn(kCallStatuses, call.status);
  page.html += fmt::format(
      "<div class=\"call\"><strong>{}</strong> <span class=\"{}\">{}</span> <span "
      "class=\"dim\">{} ms{}</span>\n",
      HtmlOf(call.tool), status, status, ReportMs(call.took),
      call.tries > 1 ? fmt::format(", {} tries", call.tries) : "");
  page.html += fmt::format("<pre>{}</pre>\n", HtmlOf(json::serialize(call.arguments)));
  page.html += "<dl>";
  page.Fact("policy", call.PolicyDecision());
  if (!call.risk.empty()) page.Fact("risk", call.risk);
  for (const std::string& flag : call.policy_flags) page.Fact("flag", flag);
  if (!call.error_code.empty()) page.Fact("error", call.error_code + ": " + call.error);
  page.html += "</dl>\n";
  if (!call.text.empty()) page.html += fmt::format("<pre>{}</pre>\n", HtmlOf(call.text));
  for (const std::string& artifact : call.artifacts) page.Picture(artifact);
  page.html += "</div>\n";
}

void PutStep(ReportPage& page, const RunStep& step) {
  page.html += fmt::format("<section class=\"step\"><strong>Step {}</strong> <span class=\"dim\">",
                           step.step);
  page.html += fmt::format("{} {} · {} in, {} out · {} · {} ms</span>\n", HtmlOf(step.provider),
                           HtmlOf(step.model), step.usage.input, step.usage.output,
                           MoneyOf(step.cost_micros), ReportMs(step.thought));
  if (!step.rationale.empty()) page.html += fmt::format("<p>{}</p>\n", HtmlOf(step.rationale));
  if (step.attempts.size() > 1)
    page.html += fmt::format("<pre>{}</pre>\n", HtmlOf(json::serialize(step.attempts)));
  for (const RunCall& call : step.calls) PutCall(page, call);
  if (!step.note.empty()) page.html += fmt::format("<p class=\"dim\">{}</p>\n", HtmlOf(step.note));
  page.html += "</section>\n";
}

ProviderShare TotalOf(const RunPast& past) {
  ProviderShare total;
  for (const RunStep& step : past.steps)
    if (!step.provider.empty()) total.Add(step);
  return total;
}

void PutHead(ReportPage& page, const RunId& run, const RunPast& past) {
  const bool is_good = past.closed == StopReason::kCompleted;
  const ProviderShare total = TotalOf(past);
  page.html += fmt::format("<h1>{}</h1>\n", HtmlOf(past.task));
  page.html += fmt::format("<p class=\"{}\">{}</p>\n<dl>\n", is_good ? "ok" : "error",
                           past.closed ? NameIn(kStopReasons, *past.closed) : "broken off");
  page.Fact("run", run.value());
  page.Fact("session", past.config.session);
  page.Fact("steps", fmt::format("{} of {}", past.steps.size(), past.config.max_steps));
  page.Fact("time", fmt::format("{} ms", ReportMs(past.used)));
  page.Fact("tokens", fmt::format("{} in, {} out", total.usage.input, total.usage.output));
  page.Fact("cost", MoneyOf(total.cost_micros));
  if (past.times_resumed > 0) page.Fact("taken up again", std::to_string(past.times_resumed));
  page.html += "</dl>\n";
}

void PutEnd(ReportPage& page, const RunPast& past) {
  if (const json::value* error = past.result.if_contains("error"); error && error->is_object())
    page.html +=
        fmt::format("<p class=\"error\">{}: {}</p>\n", HtmlOf(TextAt(error->get_object(), "code")),
                    HtmlOf(TextAt(error->get_object(), "message")));
  const std::string response = TextAt(past.result, "response");
  if (!response.empty())
    page.html += fmt::format("<h2>Answer</h2><p class=\"answer\">{}</p>\n", HtmlOf(response));
}

}  // namespace

std::string RunReportJsonl(const std::vector<json::object>& records) {
  std::string out;
  for (const json::object& record : records) out += json::serialize(record) + "\n";
  return out;
}

std::string RunReportHtml(const RunId& run, const RunPast& past, const PictureSource& pictures) {
  ReportPage page{.pictures = pictures};
  page.html = fmt::format(
      "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src data:; "
      "style-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n"
      "<title>Falconer run {}</title>\n<style>{}</style></head><body><main>\n",
      HtmlOf(run.value()), kReportStyle);
  PutHead(page, run, past);
  PutEnd(page, past);
  page.html += "<h2>Steps</h2>\n";
  for (const RunStep& step : past.steps) PutStep(page, step);
  if (page.left_out > 0)
    page.html +=
        fmt::format("<p class=\"dim\">{} more pictures are left out.</p>\n", page.left_out);
  page.html +=
      fmt::format("<h2>Limits</h2><pre>{}</pre>\n", HtmlOf(json::serialize(past.config.ToJson())));
  return page.html + "</main></body></html>\n";
}

}  // namespace falconer::agent
