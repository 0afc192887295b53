#pragma once
// What the floor runs in the page.

namespace falconer::bench {

// The centre of the counter button and the clicks counted so far: [x, y, clicks].
inline constexpr char kCounterScript[] = R"((() => {
  const box = document.getElementById('increment').getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2, bench.clicks];
})())";

// Every element of the document, its open shadow roots and its same-origin frames: style and box
// for each, and a line for each visible one that can be used. This is what a plain driver does on
// every read; cross-origin frames run it in their own session.
inline constexpr char kReadScript[] = R"((() => {
  const usable = 'a[href],button,input,select,textarea,summary,[role],[tabindex],[contenteditable]';
  const lines = [];
  let elements = 0;
  const nameOf = element =>
      (element.ariaLabel || element.labels?.[0]?.textContent || element.textContent ||
       element.placeholder || element.title || '').trim().slice(0, 80);
  const walk = (root, left, top) => {
    for (const element of root.querySelectorAll('*')) {
      ++elements;
      const style = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      if (element.shadowRoot) walk(element.shadowRoot, left, top);
      if (element.localName === 'iframe' && element.contentDocument) {
        walk(element.contentDocument, left + box.x, top + box.y);
      }
      if (!element.matches(usable) || box.width === 0 || style.visibility !== 'visible') continue;
      lines.push([elements, element.role || element.localName, nameOf(element), element.value || '',
                  Math.round(left + box.x), Math.round(top + box.y),
                  Math.round(box.width), Math.round(box.height), style.cursor]);
    }
  };
  walk(document, 0, 0);
  return JSON.stringify({title: document.title, url: location.href, elements, lines});
})())";

}  // namespace falconer::bench
