#include "bench/pages.h"

#include <fmt/format.h>

#include "bench/site.h"

namespace falconer::bench {
namespace {

constexpr int kTableRows = 2000;
constexpr int kAppCards = 152;
constexpr int kFrameLines = 67;

constexpr std::string_view kStyle = R"(<style>
body { font: 14px sans-serif; margin: 12px }
label, section { display: block; margin: 2px 0 }
table { border-collapse: collapse }
td { border: 1px solid #ccc; padding: 1px 6px }
iframe { width: 500px; height: 120px; border: 1px solid #999 }
</style>)";

// The page is the witness: it counts what reached its own listeners and nothing else.
constexpr std::string_view kWitness = R"(<script>
const query = new URLSearchParams(location.search);
window.bench = {
  nonce: query.get('n') ?? '',
  clicks: 0,
  inputs: {},
  announce(what) { if (query.has('announce')) console.log(`bench ${this.nonce} ${what}`) },
  change(token) { document.getElementById('mark').textContent = token },
};
addEventListener('click', event => {
  if (event.target.id !== 'increment') return;
  document.getElementById('count').textContent = ++bench.clicks;
  bench.announce('click');
});
addEventListener('input', event => {
  bench.inputs[event.target.id] = event.target.value;
  bench.announce('fill');
});
addEventListener('load', () => bench.announce('load'));
addEventListener('DOMContentLoaded', () => {
  const mark = document.getElementById('mark');
  mark.textContent = (query.get('kind') ?? 'Mark') + ' ' + bench.nonce;
});
</script>)";

std::string Document(std::string_view title, std::string_view body) {
  return fmt::format(
      "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>{}</title>{}{}</head>"
      "<body>{}</body></html>",
      title, kStyle, kWitness, body);
}

std::string TableRow(int row) {
  const auto action = row % 2 == 0
                          ? fmt::format("<a href=\"#order-{0}\">Open order {0}</a>", row)
                          : fmt::format("<button type=\"button\">Ship order {}</button>", row);
  return fmt::format(
      "<tr><td>{0}</td><td>Customer {1}</td><td>City {2}</td><td>2026-{3:02}-{4:02}</td>"
      "<td>{5}.{6:02}</td><td>EUR</td><td>{7}</td><td>{8}</td></tr>",
      row, row * 7919 % 997, row * 31 % 89, row % 12 + 1, row % 28 + 1, row * 13 % 5000, row % 100,
      row % 3 == 0 ? "paid" : "open", action);
}

// Components in components: a card holds rows, both behind open shadow roots.
constexpr std::string_view kComponents = R"(<script>
customElements.define('bench-row', class extends HTMLElement {
  connectedCallback() {
    const name = this.dataset.name;
    this.attachShadow({mode: 'open'}).innerHTML =
        `<div><span>${name}</span><button type="button">Edit ${name}</button>` +
        `<a href="#${name}">Show</a></div>`;
  }
});
customElements.define('bench-card', class extends HTMLElement {
  connectedCallback() {
    const card = this.dataset.card;
    const rows = [0, 1, 2, 3, 4].map(row =>
        `<bench-row data-name="${card === '0' && row === 0 ? 'Shadow mark ' + bench.nonce
                                                           : `item ${card}.${row}`}"></bench-row>`);
    this.attachShadow({mode: 'open'}).innerHTML =
        `<section><h3>Card ${card}</h3><p>Open, five rows</p><div>${rows.join('')}</div></section>`;
  }
});
</script>)";

// Inserted while the document is parsed, so that the load event waits for both.
constexpr std::string_view kFrames = R"(<script>
for (const [kind, origin] of [['Near mark', ''], ['Far mark', '%FAR%']]) {
  const frame = document.createElement('iframe');
  frame.src = `${origin}/frame?kind=${encodeURIComponent(kind)}&n=${bench.nonce}`;
  frame.title = kind;
  document.getElementById('frames').append(frame);
}
</script>)";

}  // namespace

std::string FormPage() {
  std::string body = "<h1>Form</h1><p><button type=\"button\" id=\"mark\"></button></p><form>";
  for (int i = 0; i < kFormFields; ++i) {
    body += fmt::format("<label>Field {0}<input id=\"{1}\" name=\"{1}\"></label>", i, FieldName(i));
  }
  body +=
      "</form><section><button type=\"button\" id=\"increment\">Increment</button>"
      "<output id=\"count\">0</output></section><ul>";
  for (int i = 0; i < 21; ++i) body += fmt::format("<li>Note {}</li>", i);
  return Document("Form", body + "</ul>");
}

std::string TablePage() {
  std::string body = "<h1>Orders</h1><p><button type=\"button\" id=\"mark\"></button></p><table>";
  for (int row = 0; row < kTableRows; ++row) body += TableRow(row);
  return Document("Orders", body + "</table>");
}

std::string AppPage(const std::string& far_origin) {
  std::string frames(kFrames);
  frames.replace(frames.find("%FAR%"), 5, far_origin);
  std::string body =
      "<h1>App</h1><p><button type=\"button\" id=\"mark\"></button></p>"
      "<div id=\"frames\"></div>";
  body += frames;
  body += kComponents;
  body += "<main>";
  for (int i = 0; i < kAppCards; ++i) {
    body += fmt::format("<bench-card data-card=\"{}\"></bench-card>", i);
  }
  return Document("App", body + "</main><footer><p>End</p></footer>");
}

std::string FramePage() {
  std::string body = "<p><button type=\"button\" id=\"mark\"></button></p>";
  for (int i = 0; i < kFrameLines; ++i) {
    body +=
        fmt::format("<div><span>Line {0}</span><button type=\"button\">Pick {0}</button></div>", i);
  }
  return Document("Frame", body);
}

}  // namespace falconer::bench
