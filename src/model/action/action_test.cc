#include "model/action/action.h"

#include <random>
#include <set>

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

Result<ActionSpec> ParseAction(std::string_view text) {
  return ActionSpec::FromJson(*ParseJson(text), "action");
}

// At least one per type; each is written back as it is read.
constexpr std::string_view kGoodActions[] = {
    R"({"action_type":"navigate","url":"https://x.test/a","referrer":"https://y.test/","wait_until":"networkidle","timeout_ms":5000})",
    R"({"action_type":"navigate","url":"about:blank"})",
    R"({"action_type":"go_back","wait_until":"commit"})",
    R"({"action_type":"go_forward"})",
    R"({"action_type":"reload","wait_until":"domcontentloaded"})",
    R"({"action_type":"click","target_eid":"d1e5","target_fid":"F1","button":"right","click_count":2,"modifiers":["Alt","Shift"],"force":true,"tab_id":"t1"})",
    R"({"action_type":"click","selector":"#a","selector_candidates":["#b","text=c"],"strict":false,"position":{"x":1.5,"y":2.5}})",
    R"({"action_type":"click","x":10.5,"y":20.0})",
    R"({"action_type":"double_click","selector":"li >> nth=0"})",
    R"({"action_type":"hover","selector":"#menu","modifiers":["Control"]})",
    R"({"action_type":"type","text":"hällo","delay_ms":20,"clear_first":true,"selector":"#a"})",
    R"({"action_type":"type","text":"to the focused element"})",
    R"({"action_type":"fill","selector":"label=Email","text":""})",
    R"({"action_type":"fill","selector":"label=Password","text":{"secret":"LOGIN_PASSWORD"}})",
    R"({"action_type":"type","selector":"label=Code","text":{"secret":"shop.login","field":"totp"}})",
    R"({"action_type":"clear","target_eid":"d1e1"})",
    R"({"action_type":"press","key":"Enter","modifiers":["Control"]})",
    R"({"action_type":"press","key":"+","selector":"#a"})",
    R"({"action_type":"select","selector":"select","select_values":[{"value":"a"},{"label":"B"},{"index":0}]})",
    R"({"action_type":"check","selector":"#a"})",
    R"({"action_type":"uncheck","selector":"#a"})",
    R"({"action_type":"scroll","scroll":{"dx":0.0,"dy":300.0}})",
    R"({"action_type":"scroll","scroll":{"to":"bottom"}})",
    R"({"action_type":"scroll","scroll":{"to":"into_view"},"selector":"#a"})",
    R"({"action_type":"drag","selector":"#a","drag_to":{"selector":"#b","position":{"x":1.0,"y":1.0}}})",
    R"({"action_type":"drag","selector":"#a","drag_to":{"x":1.0,"y":2.0}})",
    R"({"action_type":"upload","selector":"#f","files":[{"artifact_id":"art_1"},{"path":"in/a b.txt"}]})",
    R"({"action_type":"download_trigger","selector":"#d"})",
    R"({"action_type":"download_trigger","url":"https://x.test/f.zip"})",
    R"({"action_type":"extract"})",
    R"({"action_type":"extract","extract":{"what":"markdown","many":false,"limit":100,"max_chars":1000000}})",
    R"({"action_type":"extract","extract":{"what":"html","many":false,"limit":100,"max_chars":20000}})",
    R"({"action_type":"extract","selector":"a","extract":{"what":"attribute","attribute":"href","many":true,"limit":10,"max_chars":100}})",
    R"({"action_type":"extract","extract":{"what":"block_facts","many":false,"limit":100,"max_chars":20000}})",
    R"({"action_type":"screenshot"})",
    R"({"action_type":"screenshot","screenshot":{"format":"png","full_page":true,"scale":2.0,"max_width":1280}})",
    R"({"action_type":"screenshot","screenshot":{"format":"jpeg","quality":80,"full_page":true,"scale":1.0}})",
    R"({"action_type":"screenshot","screenshot":{"format":"webp","full_page":false,"scale":0.5,"clip":{"x":0.0,"y":0.0,"width":10.0,"height":5.0}}})",
    R"({"action_type":"pdf","pdf":{"landscape":true,"print_background":true,"scale":0.5}})",
    R"({"action_type":"snapshot","snapshot":{"scope":"page","offset":48}})",
    R"({"action_type":"wait_only"})",
    R"({"action_type":"custom_js_restricted","js_expression":"x => x + 1","js_argument":{"a":[1,null]}})",
    R"({"action_type":"new_tab","url":"https://x.test/"})",
    R"({"action_type":"switch_tab","tab_id":"t2"})",
    R"({"action_type":"close_tab"})",
    R"({"action_type":"handle_dialog","dialog":{"accept":true,"prompt_text":"yes"}})",
    R"({"action_type":"handle_dialog","dialog":{"accept":false}})",
    R"({"action_type":"submit","selector":"form"})",
    R"({"action_type":"purchase","selector":"#buy"})",
    R"({"action_type":"focus","selector":"#a"})",
    R"({"action_type":"set_viewport","viewport":{"width":800,"height":600,"scale":2.0}})",
};

TEST(ActionTest, ReadsAndWritesEveryType) {
  std::set<ActionType> seen;
  for (const std::string_view text : kGoodActions) {
    const auto spec = ParseAction(text);
    ASSERT_TRUE(spec) << text << ": " << Describe(spec.error());
    EXPECT_EQ(json::value(spec->ToJson()), *ParseJson(text))
        << text << " became " << json::serialize(spec->ToJson());
    const auto again = ActionSpec::FromJson(spec->ToJson());
    ASSERT_TRUE(again) << text << ": " << Describe(again.error());
    EXPECT_EQ(*again, *spec);
    seen.insert(spec->type);
  }
  EXPECT_EQ(seen.size(), AllActionTypes().size()) << "a type has no example";
}

TEST(ActionTest, UnderstandsOlderFormsAndNames) {
  const std::pair<std::string_view, std::string_view> forms[] = {
      {R"({"action_type":"press_key","key":"Ctrl+Shift+T"})",
       R"({"action_type":"press","key":"T","modifiers":["Control","Shift"]})"},
      {R"({"action_type":"wait_for"})", R"({"action_type":"wait_only"})"},
      {R"({"action_type":"select_option","selector":"#s","select_value":"a"})",
       R"({"action_type":"select","selector":"#s","select_values":[{"value":"a"}]})"},
      {R"({"action_type":"upload","selector":"#f","upload_artifact_id":"art_1"})",
       R"({"action_type":"upload","selector":"#f","files":[{"artifact_id":"art_1"}]})"},
      {R"({"action_type":"click","target":{"eid":"e1","fid":"F"}})",
       R"({"action_type":"click","target_eid":"e1","target_fid":"F"})"},
      {R"({"action_type":"click","selector":"#a","text":null,"url":null})",
       R"({"action_type":"click","selector":"#a"})"},
  };
  for (const auto& [older, today] : forms) {
    const auto spec = ParseAction(older);
    ASSERT_TRUE(spec) << older << ": " << Describe(spec.error());
    EXPECT_EQ(json::value(spec->ToJson()), *ParseJson(today));
  }
}

struct BadAction {
  std::string text;
  std::string_view why;
  ErrorCode code = ErrorCode::kInvalidActionSpec;
};

std::string With(std::string_view type, std::string_view fields) {
  return R"({"action_type":")" + std::string(type) + "\"" + (fields.empty() ? "" : ",") +
         std::string(fields) + "}";
}

void ExpectRefused(std::span<const BadAction> cases) {
  for (const BadAction& row : cases) {
    const auto spec = ParseAction(row.text);
    ASSERT_FALSE(spec) << row.text;
    EXPECT_EQ(spec.error().code(), row.code) << row.text << ": " << Describe(spec.error());
    EXPECT_TRUE(spec.error().message().contains(row.why))
        << row.text << ": " << spec.error().message();
  }
}

TEST(ActionTest, RefusesWhatIsNotAnAction) {
  const BadAction cases[] = {
      {"[]", "action: expected object"},
      {"{}", "action.action_type: is required"},
      {R"({"action_type":"fly"})", "action.action_type: is not a known action"},
      {R"({"action_type":1})", "expected string"},
      {With("click", R"("selector":"#a","colour":"red")"), "action.colour: unknown field"},
      {With("drag", R"("selector":"#a","drag_to":{"selector":"#b","z":1})"), "action.drag_to.z"},
      {With("click", R"("selector":"#a","target":{"eid":"e1"})"), "action.target: is given twice"},
      {With("click", R"("selector":"#a","target_eid":"e1")"), "named twice"},
      {With("click", R"("target":{})"), "names nothing"},
      {With("click", R"("selector":"a[")"), "action.selector", ErrorCode::kInvalidSelector},
      {With("click", R"("selector":"*")"), "everything", ErrorCode::kInvalidSelector},
      {With("drag", R"("selector":"#a","drag_to":{})"), "drag_to: target names nothing"},
  };
  ExpectRefused(cases);
}

TEST(ActionTest, RefusesBadValues) {
  const std::string long_text(kMaxTextLength + 1, 'a');
  const std::string long_script(kMaxScriptLength + 1, 'a');
  const BadAction cases[] = {
      {With("navigate", R"("url":"ftp://x")"), "url: url must start with http"},
      {With("navigate", R"("url":"http://")"), "needs a valid host"},
      {With("navigate", R"("url":"http://x","referrer":"x")"), "referrer: "},
      {With("navigate", R"("url":"http://x","wait_until":"soon")"), "wait_until: expected one of"},
      {With("navigate", R"("url":"http://x","timeout_ms":0)"), "timeout_ms: must be between"},
      {With("navigate", R"("url":"http://x","timeout_ms":600001)"), "timeout_ms"},
      {With("type", "\"text\":\"" + long_text + "\""), "text: is longer than 4096"},
      {With("type", R"("text":7)"), "expected object"},
      {With("fill", R"("selector":"#a","text":{"secret":"A B"})"), "text.secret: is not the name"},
      {With("fill", R"("selector":"#a","text":{"secret":"A","field":"x/y"})"),
       "text.field: is not the name"},
      {With("type", R"("text":{"secret":"A"})"), "text.secret: needs a target"},
      {With("type", R"("text":{"secret":""})"), "text.secret: is not the name"},
      {With("type", R"("text":{"secret":"A","x":1})"), "text.x: unknown"},
      {With("type", R"("text":"a","delay_ms":1001)"), "delay_ms"},
      {With("press", R"("key":"Foo+a")"), "key: a key is held down"},
      {With("press", R"("key":"")"), "key: expected one character"},
      {With("press", R"("key":"a","modifiers":["Hyper"])"), "modifiers: knows"},
      {With("click", R"("selector":"#a","click_count":4)"), "click_count"},
      {With("click", R"("selector":"#a","click_count":1.5)"), "click_count: expected integer"},
      {With("click", R"("selector":"#a","button":"top")"), "button: expected one of"},
      {With("custom_js_restricted", "\"js_expression\":\"" + long_script + "\""),
       "longer than 512"},
      {With("custom_js_restricted", R"("js_expression":"  ")"), "js_expression: is empty"},
      {With("custom_js_restricted", R"("js_expression":"a","js_argument":")" + long_text + "\""),
       "js_argument: is larger"},
      {With("switch_tab", "\"tab_id\":\"" + std::string(65, 't') + "\""), "tab_id: is not an id"},
  };
  ExpectRefused(cases);
}

TEST(ActionTest, RefusesBadGroups) {
  const BadAction cases[] = {
      {With("scroll", R"("scroll":{})"), "either a distance or to"},
      {With("scroll", R"("scroll":{"dy":1,"to":"top"})"), "either a distance or to"},
      {With("scroll", R"("scroll":{"dy":1e9})"), "too large"},
      {With("scroll", R"("scroll":{"to":"into_view"})"), "needs a target"},
      {With("select", R"("selector":"#s","select_values":[{}])"), "one of value, label and index"},
      {With("select", R"("selector":"#s","select_values":[{"value":"a","index":1}])"), "one of"},
      {With("select", R"("selector":"#s","select_values":[{"index":-1}])"), "from 0 up"},
      {With("select", R"("selector":"#s","select_value":"a","select_values":[{"index":1}])"),
       "given together"},
      {With("upload", R"("selector":"#f","files":[{}])"), "either an artifact_id or a path"},
      {With("upload", R"("selector":"#f","files":[{"path":"a","artifact_id":"b"}])"), "either"},
      {With("upload", R"("selector":"#f","files":[{"artifact_id":"../x"}])"), "is not an id"},
      {With("upload", R"("selector":"#f","upload_artifact_id":"a","files":[{"path":"b"}])"),
       "given together"},
      {With("extract", R"("extract":{"what":"attribute"})"), "extract.attribute"},
      {With("extract", R"("extract":{"attribute":"href"})"), "extract.attribute"},
      {With("extract", R"("extract":{"what":"source"})"), "extract.what: expected one of"},
      {With("extract", R"("extract":{"limit":0})"), "extract.limit"},
      {With("screenshot", R"("screenshot":{"quality":50})"), "does not go with png"},
      {With("screenshot", R"("screenshot":{"format":"jpeg","quality":101})"), "quality"},
      {With("screenshot", R"("screenshot":{"scale":9})"), "screenshot.scale"},
      {With("screenshot", R"("screenshot":{"max_width":1})"), "screenshot.max_width"},
      {With("screenshot", R"("selector":"#a","screenshot":{"full_page":true})"), "give one of"},
      {With("screenshot",
            R"("screenshot":{"full_page":true,"clip":{"x":0,"y":0,"width":1,"height":1}})"),
       "give one of"},
      {With("screenshot", R"("screenshot":{"clip":{"x":0,"y":0,"width":0,"height":1}})"),
       "clip.width"},
      {With("pdf", R"("pdf":{"scale":3})"), "pdf.scale"},
      {With("snapshot", R"("snapshot":{"offset":-1})"), "snapshot.offset"},
      {With("handle_dialog", R"("dialog":{})"), "dialog.accept: is required"},
      {With("handle_dialog", R"("dialog":{"accept":false,"prompt_text":"x"})"), "needs accept"},
      {With("set_viewport", R"("viewport":{"width":0,"height":1})"), "viewport.width"},
      {With("set_viewport", R"("viewport":{"width":1})"), "viewport.height: is required"},
      {With("download_trigger", ""), "target or url: is required"},
      {With("download_trigger", R"("selector":"#a","url":"http://x")"), "together with a target"},
  };
  ExpectRefused(cases);
}

TEST(ActionTest, RefusesPathsThatLeaveTheFolder) {
  for (const char* path : {"/etc/passwd", "../a", "a/../b", "a/..", ".", "a//b", "a/", "a\\b",
                           "C:a", "a\nb", "a\x01"}) {
    ActionSpec spec{.type = ActionType::kUpload, .files = {{.path = path}}};
    spec.target = Target{.eid = "e1"};
    EXPECT_FALSE(spec.Validate()) << path;
  }
}

// Every type against every field: exactly the table's fields are taken, and the required ones asked
// for.
TEST(ActionTest, TheTableDecidesWhichFieldsATypeTakes) {
  using F = ActionField;
  ActionSpec full{.target = Target{.eid = "e1"}, .text = TextInput{"t"}, .url = "http://x.test"};
  full.key = "a";
  full.modifiers = {Modifier::kAlt};
  full.button = MouseButton::kLeft;
  full.click_count = 1;
  full.delay = std::chrono::milliseconds(1);
  full.clear_first = true;
  full.scroll = ScrollSpec{.dy = 1};
  full.drag_to = Target{.eid = "e2"};
  full.select_values = {{.value = "v"}};
  full.files = {{.path = "f"}};
  full.js_expression = "1";
  full.js_argument = json::value(1);
  full.extract = ExtractSpec();
  full.screenshot = ScreenshotSpec();
  full.pdf = PdfSpec();
  full.snapshot = SnapshotSpec();
  full.dialog = DialogSpec();
  full.viewport = ViewportSpec{.width = 1, .height = 1};
  full.tab_id = TabId("t");
  full.wait_until = LoadState::kLoad;
  full.force = true;
  full.referrer = "http://y.test";
  full.timeout = std::chrono::milliseconds(1);
  json::object all = full.ToJson();
  all.erase("action_type");
  for (const ActionTraits& row : AllActionTypes()) {
    json::object fits{{"action_type", row.name}};
    for (const auto& [field, name] : AllActionFields()) {
      // Either of two is enough, and giving both is refused.
      if (row.any_of.Contains(F::kTarget) && field == F::kUrl) continue;
      const std::string_view key = field == F::kTarget ? "target_eid" : name;
      if (row.allowed().Contains(field)) fits[key] = all.at(key);
    }
    const auto fitting = ActionSpec::FromJson(fits);
    ASSERT_TRUE(fitting) << row.name << ": " << Describe(fitting.error());
    for (const auto& [field, name] : AllActionFields()) {
      const std::string_view key = field == F::kTarget ? "target_eid" : name;
      json::object changed = fits;
      if (row.required.Contains(field)) {
        changed.erase(key);
      } else if (!row.allowed().Contains(field)) {
        changed[key] = all.at(key);
      } else {
        continue;
      }
      const auto refused = ActionSpec::FromJson(changed);
      ASSERT_FALSE(refused) << row.name << " " << name;
      EXPECT_TRUE(refused.error().message().contains(std::string(name) + ": is "))
          << Describe(refused.error());
    }
  }
}

TEST(ActionFuzzTest, RandomFieldsNeverCrashAndAcceptedSpecsRoundTrip) {
  const json::value values[] = {nullptr,
                                true,
                                -1,
                                3,
                                1e300,
                                "a",
                                "",
                                "#x",
                                "http://x.test",
                                json::array{},
                                json::array{"#x"},
                                json::array{json::object{{"value", "a"}}},
                                json::object{},
                                json::object{{"x", 1}, {"y", 2}},
                                json::object{{"dy", 5}},
                                json::object{{"accept", true}},
                                json::object{{"selector", "#x"}},
                                json::object{{"width", 1}, {"height", 1}}};
  std::vector<std::string_view> keys = {"target_eid", "selector", "selector_candidates", "x", "y",
                                        "position",   "strict",   "select_value"};
  for (const auto& [field, name] : AllActionFields()) keys.push_back(name);
  std::mt19937 random(1);
  int accepted = 0;
  for (int round = 0; round < 20'000; ++round) {
    const auto types = AllActionTypes();
    json::object object{{"action_type", types[random() % types.size()].name}};
    for (auto count = random() % 5; count > 0; --count) {
      object[keys[random() % keys.size()]] = values[random() % std::size(values)];
    }
    const auto spec = ActionSpec::FromJson(object);
    if (!spec) continue;
    ++accepted;
    const auto again = ActionSpec::FromJson(spec->ToJson());
    ASSERT_TRUE(again) << json::serialize(object) << ": " << Describe(again.error());
    ASSERT_EQ(*again, *spec) << json::serialize(object);
  }
  EXPECT_GT(accepted, 500);
}

}  // namespace
}  // namespace falconer::model
