// Two hundred secrets, typed by the real program into pages that do with them what pages do: none
// of them is found afterwards in anything that was written, said or painted.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include "base/base64.h"
#include "base/file.h"
#include "base/hex.h"
#include "policy/secrets/open_vault.h"
#include "tests/api/mcp_client.h"
#include "tests/api/planted_secrets.h"
#include "tests/api/seen_text.h"
#include "tests/support/png.h"
#include "tests/support/test_site.h"

namespace falconer::test {
namespace {

constexpr std::size_t kPerPage = 50;

// Every field is echoed into everything a page can write to. Magenta is used for nothing else.
std::string EchoPage() {
  std::string html =
      "<!doctype html><title>Echo</title><style>input,p{color:#f0f;font:24px monospace;margin:0}"
      "input{width:1000px}p{height:30px;overflow:hidden;white-space:nowrap}</style>"
      "<button id=shout onclick=\"alert(document.querySelector('#f0').value)\">Shout</button>";
  for (std::size_t i = 0; i < kPerPage; ++i) {
    const std::string n = std::to_string(i);
    html += "<label>Field " + n + " <input id=f" + n + "></label><p id=o" + n + "></p>";
  }
  return html + R"(<script>
for (const el of document.querySelectorAll('input')) el.addEventListener('input', () => {
  const v = el.value, out = document.getElementById(el.id.replace('f', 'o'));
  out.textContent = v; out.dataset.copy = v; out.setAttribute('aria-label', v);
  document.title = v; location.hash = v;
  console.log('typed', v); console.error(v);
  const all = JSON.stringify({ v, b: btoa(String.fromCharCode(...new TextEncoder().encode(v))) });
  fetch('/echo?q=' + encodeURIComponent(v), { method: 'POST', body: all });
});
</script>)";
}

bool HasMagenta(std::string_view png) {
  const auto image = DecodePng(png);
  EXPECT_TRUE(image) << "no picture";
  for (std::uint32_t y = 0; image && y < image->height(); ++y) {
    for (std::uint32_t x = 0; x < image->width(); ++x) {
      const Pixel pixel = image->At(x, y);
      if (pixel.red > 200 && pixel.blue > 200 && pixel.green < 120) return true;
    }
  }
  return false;
}

// Letters that are taken for each other where text is read off a picture.
constexpr std::pair<char, char> kLookAlikes[] = {{'0', 'o'}, {'1', 'l'}, {'i', 'l'}, {'|', 'l'},
                                                 {'5', 's'}, {'8', 'b'}, {'2', 'z'}};

// As an eye reads it: without gaps, without capitals, look-alikes as one.
std::string AsRead(std::string_view text) {
  std::string out;
  for (const char letter : text) {
    if (std::isspace(static_cast<unsigned char>(letter)) != 0) continue;
    const char low = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    const auto* const like = std::ranges::find(kLookAlikes, low, &std::pair<char, char>::first);
    out += like == std::end(kLookAlikes) ? low : like->second;
  }
  return out;
}

// The secrets of which a part can be read.
std::set<std::string> SeenIn(std::span<const PlantedSecret> secrets, std::string_view text) {
  constexpr std::size_t kPart = 6;
  const std::string seen = AsRead(text);
  std::set<std::string> found;
  for (const PlantedSecret& secret : secrets) {
    const std::string value = AsRead(secret.value);
    for (std::size_t at = 0; at + kPart <= value.size(); ++at)
      if (seen.contains(value.substr(at, kPart))) found.insert(secret.Name());
  }
  return found;
}

// Everything that came out of the program, by where it was.
class Findings {
 public:
  explicit Findings(const std::vector<PlantedSecret>& secrets) : secrets_(secrets) {
    for (const PlantedSecret& secret : secrets) {
      for (std::string& form : FormsOf(secret.value)) forms_.push_back({std::move(form), &secret});
    }
    std::ranges::sort(forms_, {}, &Form::text);
  }

  void Search(const std::string& where, std::string_view bytes) {
    for (std::size_t at = 0; at + kLeast <= bytes.size(); ++at) {
      const std::string_view rest = bytes.substr(at);
      auto form = std::ranges::lower_bound(forms_, rest.substr(0, kLeast), {}, [](const Form& one) {
        return std::string_view(one.text).substr(0, kLeast);
      });
      for (; form != forms_.end() && form->text.starts_with(rest.substr(0, kLeast)); ++form) {
        if (!rest.starts_with(form->text)) continue;
        found_.insert(where + ": " + form->secret->Name() + " (" + form->secret->kind + ")");
      }
    }
  }

  // What is to be seen in a picture.
  void SearchSight(const std::string& where, std::string_view text) {
    for (const std::string& name : SeenIn(secrets_, text))
      found_.insert(where + ": sight of " + name);
  }

  void SearchFolder(const std::filesystem::path& folder) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      Search(entry.path().filename(), entry.path().filename().string());
      if (entry.is_regular_file()) SearchFile(entry.path());
    }
  }

  const std::set<std::string>& found() const { return found_; }
  // Files that were looked at as pictures and as documents.
  int pictures() const { return pictures_; }
  int documents() const { return documents_; }

 private:
  void SearchFile(const std::filesystem::path& file) {
    const std::string bytes = ReadFile(file).value_or("");
    Search(file, bytes);
    if (bytes.starts_with("\x89PNG")) {
      ++pictures_;
      SearchSight(file, TextInPicture(bytes));
    }
    if (bytes.starts_with("%PDF")) {
      ++documents_;
      SearchSight(file, TextInPdf(file));
    }
  }

  static constexpr std::size_t kLeast = 4;
  struct Form {
    std::string text;
    const PlantedSecret* secret;
  };
  const std::vector<PlantedSecret>& secrets_;
  std::vector<Form> forms_;
  std::set<std::string> found_;
  int pictures_ = 0;
  int documents_ = 0;
};

std::string Told(const std::set<std::string>& found) {
  std::string text;
  for (const std::string& one : found) text += one + "\n";
  return text;
}

class SecretSweepTest : public testing::Test {
 protected:
  SecretSweepTest() : secrets_(PlantSecrets(home_.path() / "data", home_.path() / "commands")) {
    site_.Serve("/echo.html", EchoPage());
    site_.On("/echo", [](const net::HttpRequest&) { return net::HttpResponse(); });
  }

  std::vector<std::string> Settings() const {
    return {"policy.allow_domains=127.0.0.1",
            "data.dir=" + (home_.path() / "data").string(),
            "quota.actions_per_minute=10000",
            "log.level=debug",
            "log.file=" + (home_.path() / "data" / "log.txt").string(),
            "secrets.commands=" + CommandSetting(secrets_)};
  }

  static json::object FormOf(std::span<const PlantedSecret> secrets) {
    json::array fields;
    for (std::size_t i = 0; i < secrets.size(); ++i) {
      fields.push_back(json::object{{"target", "#f" + std::to_string(i)},
                                    {"value", secrets[i].Reference()},
                                    {"type", "textbox"}});
    }
    return {{"fields", std::move(fields)}};
  }

  // What a model can ask for after secrets were typed.
  static void LookEverywhere(McpClient& client) {
    constexpr std::string_view kRead =
        "() => [document.title, location.href, document.body.innerText, "
        "...[...document.querySelectorAll('p')].map(e => e.dataset.copy)]";
    const json::object extract{
        {"action_spec", {{"action_type", "extract"}, {"extract", {{"what", "text"}}}}}};
    const std::pair<std::string_view, json::object> calls[] = {
        {"browser_snapshot", {{"scope", "page"}}},
        {"get_state", {}},
        {"find", {{"text", "Field 1"}}},
        {"browser_console_messages", {}},
        {"browser_network_requests", {{"static", true}}},
        {"browser_tabs", {{"action", "list"}}},
        {"browser_click", {{"target", "#shout"}}},
        {"browser_handle_dialog", {{"accept", true}}},
        {"execute_action", {{"contract", extract}}},
        {"browser_pdf_save", {}},
        {"get_replay_trace", {}},
    };
    for (const auto& [tool, arguments] : calls) {
      const ToolReply reply = client.Call(tool, arguments);
      EXPECT_FALSE(reply.is_error) << tool << ": " << reply.text;
    }
    const ToolReply script = client.Call("browser_evaluate", {{"function", kRead}});
    EXPECT_TRUE(script.Says("SECURITY_JS_BLOCKED")) << script.text;
    EXPECT_FALSE(script.Says("may have happened")) << script.text;
  }

  // The page got them: else there was nothing to find.
  std::size_t Arrived() const {
    std::string all;
    for (const net::HttpRequest& request : site_.Requests("/echo")) all += request.body + "\n";
    return static_cast<std::size_t>(std::ranges::count_if(
        secrets_, [&](const PlantedSecret& secret) { return all.contains(InJson(secret.value)); }));
  }

  TempDir home_ = TempDir::Create("falconer-sweep-").value();
  std::vector<PlantedSecret> secrets_;
  TestSite site_;
};

TEST_F(SecretSweepTest, TwoHundredSecretsAreFoundNowhere) {
  McpClient client(Settings(), {"--tools", "all"}, EnvironmentOf(secrets_));
  Findings findings(secrets_);
  for (std::size_t begin = 0; begin < secrets_.size(); begin += kPerPage) {
    const auto on_page = std::span(secrets_).subspan(begin, kPerPage);
    client.Call("browser_navigate", {{"url", site_.Url("/echo.html")}});
    const ToolReply filled = client.Call("browser_fill_form", FormOf(on_page));
    ASSERT_EQ(filled.head(), "ok 50 fields") << filled.text;
    const ToolReply picture = client.Call("browser_take_screenshot", {{"fullPage", true}});
    const std::string png = DecodeBase64(picture.image).value_or("");
    EXPECT_FALSE(HasMagenta(png)) << "a secret is painted, page of " << on_page[0].Name();
    findings.SearchSight("screenshot", TextInPicture(png));
    LookEverywhere(client);
  }
  for (const std::size_t i : {0U, 100U, 160U}) {
    const ToolReply typed = client.Call(
        "browser_type", {{"target", "#f1"}, {"text", secrets_[i].Reference()}, {"slowly", true}});
    EXPECT_EQ(typed.head(), "ok") << typed.text;
  }
  client.program().CloseInput();
  const Ended ended = client.program().Wait();

  EXPECT_EQ(Arrived(), secrets_.size());
  findings.Search("standard output", ended.out);
  findings.Search("standard error", ended.err);
  findings.SearchFolder(home_.path() / "data");
  EXPECT_TRUE(findings.found().empty()) << Told(findings.found());
  EXPECT_TRUE(ended.out.contains("[secret ")) << "nothing was shown at all";
  // With everything covered they are all the same one.
  EXPECT_GE(findings.pictures(), 1);
  EXPECT_GE(findings.documents(), 4);
}

// What the sweep reads with can read: the same values, typed as they are, are seen.
TEST_F(SecretSweepTest, TheSameValuesAreReadWhereTheyAreNoSecrets) {
  McpClient client({"policy.allow_domains=127.0.0.1", "quota.actions_per_minute=10000",
                    "data.dir=" + (home_.path() / "open").string()},
                   {"--tools", "all"});
  const auto on_page = std::span(secrets_).first(kPerPage);
  json::object form = FormOf(on_page);
  for (std::size_t i = 0; i < kPerPage; ++i)
    form.at("fields").at(i).as_object()["value"] = on_page[i].value;
  client.Call("browser_navigate", {{"url", site_.Url("/echo.html")}});
  ASSERT_EQ(client.Call("browser_fill_form", form).head(), "ok 50 fields");
  const ToolReply picture = client.Call("browser_take_screenshot", {{"fullPage", true}});
  EXPECT_GE(SeenIn(on_page, TextInPicture(DecodeBase64(picture.image).value_or(""))).size(), 40U);

  client.Call("browser_pdf_save", {});
  std::set<std::string> seen;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home_.path() / "open")) {
    if (!entry.is_regular_file()) continue;
    if (ReadFile(entry.path()).value_or("").starts_with("%PDF"))
      seen.merge(SeenIn(on_page, TextInPdf(entry.path())));
  }
  EXPECT_GE(seen.size(), 40U);
}

TEST_F(SecretSweepTest, AContractHasOnlyTheReference) {
  const json::object rule{{"rule_type", "property_state"},
                          {"selector", "#f0"},
                          {"property", "value"},
                          {"expected", secrets_[3].Reference()}};
  const json::object wrong{{"rule_type", "property_state"},
                           {"severity", "soft"},
                           {"selector", "#f0"},
                           {"property", "value"},
                           {"expected", secrets_[4].Reference()}};
  const json::array contracts{
      json::object{
          {"workflow_id", "sweep"},
          {"action_spec", {{"action_type", "navigate"}, {"url", site_.Url("/echo.html")}}}},
      json::object{
          {"workflow_id", "sweep"},
          {"action_spec",
           {{"action_type", "fill"}, {"selector", "#f0"}, {"text", secrets_[3].Reference()}}},
          {"verification_rules", json::array{rule, wrong}}}};
  std::string lines;
  for (const json::value& contract : contracts) lines += json::serialize(contract) + "\n";
  const auto file = home_.path() / "contracts.jsonl";
  ASSERT_TRUE(WriteFileAtomic(file, lines));
  std::vector<std::string> words = {"act", file.string(), "--json"};
  for (const std::string& setting : Settings()) words.insert(words.end(), {"--set", setting});
  const Ended ended = RunProgram(std::move(words), EnvironmentOf(secrets_));

  EXPECT_EQ(ended.exit_code, 0) << ended.out << ended.err;
  EXPECT_TRUE(ended.out.contains(R"("agrees":true)")) << ended.out;
  EXPECT_TRUE(ended.out.contains(R"("agrees":false)")) << ended.out;
  // The record is whole without it.
  const Ended replayed = RunProgram({"replay", "sweep", "--json", "--set", Settings()[1]});
  EXPECT_EQ(TextAt(replayed.Answer(), "status"), "reproduced") << replayed.out << replayed.err;
  Findings findings(secrets_);
  findings.Search("standard output", ended.out);
  findings.Search("standard error", ended.err);
  findings.SearchFolder(home_.path() / "data");
  EXPECT_TRUE(findings.found().empty()) << Told(findings.found());
}

TEST_F(SecretSweepTest, ASecretOfAnotherHostIsNotTyped) {
  site_.Serve("/other.html", "<title>Other</title><label>Name <input id=a></label>");
  McpClient client(
      {"policy.allow_domains=127.0.0.1", "data.dir=" + (home_.path() / "data").string()}, {},
      {"FALCONER_SECRET_BANK=correct horse battery",
       "FALCONER_SECRET_BANK_HOSTS=bank.example.com"});
  client.Call("browser_navigate", {{"url", site_.Url("/other.html")}});
  const ToolReply refused =
      client.Call("browser_type", {{"target", "#a"}, {"text", {{"secret", "BANK"}}}});
  const ToolReply unknown =
      client.Call("browser_type", {{"target", "#a"}, {"text", {{"secret", "NONE"}}}});

  EXPECT_TRUE(refused.text.starts_with("error SECURITY_DOMAIN_BLOCK: ")) << refused.text;
  EXPECT_FALSE(refused.text.contains("horse"));
  EXPECT_TRUE(unknown.text.starts_with("error NOT_FOUND: ")) << unknown.text;
}

// The colour is what the sweep looks for: it must be seen where it is.
TEST_F(SecretSweepTest, ThePaintIsSeenWhenNothingIsSecret) {
  site_.Serve("/open.html", "<p style='color:#f0f;font:40px monospace'>open to everybody</p>");
  McpClient client(Settings());
  client.Call("browser_navigate", {{"url", site_.Url("/open.html")}});
  const ToolReply picture = client.Call("browser_take_screenshot", {});
  EXPECT_TRUE(HasMagenta(DecodeBase64(picture.image).value_or("")));
}

}  // namespace
}  // namespace falconer::test
