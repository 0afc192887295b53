// Deltas of real pages: whoever holds a state and gets the delta has the next state, exactly.

#include "browser/state/delta_state_tracker.h"
#include "tests/support/test_browser.h"

namespace falconer::test {
namespace {

using browser::DeltaStateTracker;
using model::StructuredState;

// Follows a tab as a reader does who gets deltas only.
class Reader {
 public:
  explicit Reader(BrowserFixture& t) : t_(t), tracker_({}) {}

  // Reads the state and applies its delta; expects to end with exactly that state.
  Task<model::StateDelta> Follow(std::string when) {
    auto state = co_await t_.State({.scope = model::StateScope::kPage});
    EXPECT_TRUE(state) << when << ": " << Why(state);
    if (!state) co_return model::StateDelta();
    const TabId tab = t_.tab()->id();
    const auto delta = tracker_.Track(tab, *std::move(state));
    EXPECT_TRUE(delta) << when << ": " << Why(delta);
    if (!delta) co_return model::StateDelta();
    const auto text = ParseJson(json::serialize(delta->ToJson()));
    EXPECT_TRUE(text) << when << ": " << Why(text);
    if (!text) co_return model::StateDelta();
    const auto arrived = model::StateDelta::FromJson(*text);
    EXPECT_TRUE(arrived) << when << ": " << Why(arrived);
    if (!arrived) co_return model::StateDelta();
    const auto next = arrived->is_full() ? Result<StructuredState>(*arrived->full)
                                         : model::Apply(seen_, *arrived);
    EXPECT_TRUE(next) << when << ": " << Why(next);
    const StructuredState* last = tracker_.Last(tab);
    EXPECT_TRUE(next && last != nullptr && *next == *last)
        << when << ": " << json::serialize(arrived->ToJson());
    if (next) seen_ = *next;
    co_return *delta;
  }

  const StructuredState& seen() const { return seen_; }

 private:
  BrowserFixture& t_;
  DeltaStateTracker tracker_;
  StructuredState seen_;
};

BROWSER_TEST(DeltaTest, TheFirstStateIsWholeAndAnEqualOneChangesNothing) {
  co_await t.Open("/form.html");
  Reader reader(t);
  const auto first = co_await reader.Follow("first");
  EXPECT_TRUE(first.is_full());
  const auto second = co_await reader.Follow("second");
  EXPECT_FALSE(second.is_full());
  EXPECT_TRUE(second.elements.empty());
  EXPECT_EQ(second.prev_state_id, second.new_state_id);
}

BROWSER_TEST(DeltaTest, OneFieldThatWasFilledIsOneChange) {
  co_await t.Open("/form.html");
  Reader reader(t);
  co_await reader.Follow("before");
  co_await t.Fill("#email", "ada@example.com");
  const auto delta = co_await reader.Follow("after");
  EXPECT_FALSE(delta.is_full());
  EXPECT_TRUE(delta.elements.added.empty());
  EXPECT_TRUE(delta.elements.removed.empty());
  const auto told = std::ranges::find_if(
      delta.elements.updated, [](const auto& u) { return u.fields.contains("value_hint"); });
  EXPECT_NE(told, delta.elements.updated.end());
  if (told != delta.elements.updated.end())
    EXPECT_EQ(told->fields.at("value_hint"), "ada@example.com");
}

BROWSER_TEST(DeltaTest, AReRenderOfTheSameThingsIsNoChange) {
  co_await t.Open("/rerender.html?times=0");
  Reader reader(t);
  co_await reader.Follow("before");
  co_await t.Page("rerender(); 0");
  const auto delta = co_await reader.Follow("after");
  EXPECT_FALSE(delta.is_full());
  EXPECT_TRUE(delta.elements.added.empty()) << json::serialize(delta.ToJson());
  EXPECT_TRUE(delta.elements.removed.empty());
}

BROWSER_TEST(DeltaTest, AnotherPageIsAWholeState) {
  co_await t.Open("/form.html");
  Reader reader(t);
  co_await reader.Follow("before");
  co_await t.Open("/rerender.html?times=0");
  const auto delta = co_await reader.Follow("after");
  EXPECT_TRUE(delta.is_full());
}

BROWSER_TEST(DeltaTest, DialogsErrorsAndFramesComeAndGo) {
  t.site.Serve("/one", "<button id=b onclick=\"alert('hi')\">Ask</button><div id=d></div>");
  co_await t.Open("/one");
  Reader reader(t);
  co_await reader.Follow("plain");
  co_await t.Page(
      "d.innerHTML = '<p role=alert>Wrong</p><iframe src=\"/frame_leaf.html\"></iframe>'; 0");
  const auto loaded =
      co_await t.WaitFor(R"({"kind": "selector", "selector": "frame=iframe >> #leaf"})");
  EXPECT_TRUE(loaded && loaded->satisfied) << Why(loaded);
  const auto more = co_await reader.Follow("with error and frame");
  EXPECT_EQ(more.errors.added.size(), 1u);
  EXPECT_EQ(more.frames.added.size(), 1u);
  co_await t.Page("d.innerHTML = ''; 0");
  const auto less = co_await reader.Follow("without them");
  EXPECT_EQ(less.errors.removed.size(), 1u);
  co_await t.Click("#b");
  co_await reader.Follow("with a dialog");
  EXPECT_EQ(reader.seen().dialogs.size(), 1u);
  co_await t.Do(R"({"action_type": "handle_dialog", "dialog": {"accept": true}})");
  co_await reader.Follow("dialog answered");
  EXPECT_TRUE(reader.seen().dialogs.empty());
}

// A page that changes at random, but always in the same way for the same seed.
constexpr std::string_view kRestlessPage =
    R"html(<!doctype html><main id=m><h1>Restless</h1></main><script>
  let seed = 0;
  const random = (n) => { seed = (seed * 1103515245 + 12345) % 2147483648; return Math.floor(seed / 65536) % n; };
  const makers = [
    () => `<button>Button ${random(50)}</button>`,
    () => `<label>Field ${random(50)} <input value="${random(9)}"></label>`,
    () => `<label><input type=checkbox ${random(2) ? 'checked' : ''}> Box ${random(50)}</label>`,
    () => `<p>Text ${random(1000)}</p>`,
    () => `<a href="/page/${random(9)}">Link ${random(50)}</a>`,
    () => `<p role=alert>Error ${random(50)}</p>`,
    () => `<form><input aria-label="In form ${random(20)}" ${random(2) ? 'required' : ''}><button>Send ${random(9)}</button></form>`,
    () => `<select aria-label="List ${random(9)}"><option>a<option ${random(2) ? 'selected' : ''}>b</select>`,
  ];
  const pick = () => m.children[1 + random(m.children.length - 1)];
  const changes = [
    () => m.insertAdjacentHTML(random(2) ? 'beforeend' : 'afterbegin', makers[random(makers.length)]()),
    () => m.insertAdjacentHTML('beforeend', makers[random(makers.length)]()),
    () => m.children.length > 1 && pick().remove(),
    () => m.children.length > 2 && m.append(pick()),
    () => m.children.length > 1 && pick().toggleAttribute('hidden'),
    () => { const i = m.querySelectorAll('input'); if (i.length) { const e = i[random(i.length)]; e.checked = !e.checked; e.value = random(99); } },
    () => { const b = m.querySelectorAll('button'); if (b.length) b[random(b.length)].disabled = random(2) === 1; },
    () => { m.innerHTML = m.innerHTML; },
    () => { document.title = `Title ${random(5)}`; },
    () => { const i = m.querySelectorAll('input'); if (i.length) i[random(i.length)].focus(); },
  ];
  window.begin = (n) => { seed = n; };
  window.step = () => { for (let left = 1 + random(6); left > 0; left -= 1) changes[random(changes.length)](); };
</script>)html";

BROWSER_TEST(DeltaTest, AReaderOfDeltasKeepsUpWithARestlessPage) {
  t.site.Serve("/restless", std::string(kRestlessPage));
  for (const int seed : {1, 7, 42}) {
    co_await t.Open("/restless");
    co_await t.Page("begin(" + std::to_string(seed) + "); for (let i = 0; i < 5; i++) step(); 0");
    Reader reader(t);
    for (int i = 0; i < 25; ++i) {
      co_await reader.Follow("seed " + std::to_string(seed) + ", step " + std::to_string(i));
      co_await t.Page("step(); 0");
    }
  }
}

BROWSER_TEST(DeltaTest, SecretsAreInNoDelta) {
  co_await t.Open("/secrets.html");
  Reader reader(t);
  co_await reader.Follow("before");
  co_await t.Fill("#password", "correct horse");
  co_await t.Fill("#card", "5500000000000004");
  const auto delta = co_await reader.Follow("after");
  const std::string all = json::serialize(delta.ToJson()) + json::serialize(delta.ToModelJson());
  for (const char* secret : {"correct horse", "5500000000000004", "hunter2", "4111111111111111"})
    EXPECT_FALSE(all.contains(secret)) << secret;
}

}  // namespace
}  // namespace falconer::test
