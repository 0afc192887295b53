#pragma once
// The pages that every contestant is measured on. They are the same bytes on every run; only the
// nonce in the query differs, and the page's own script puts it where a reader must find it.
//
//   form   50 elements: a counter button, seven inputs
//   table  2,000 rows of eight cells with a link or a button each, 20,000 elements
//   app    5,000 nodes: nested open shadow roots, a same-origin and a cross-origin frame
//
// Each page keeps `bench` on its window: nonce, clicks, inputs (as its own listeners saw them) and
// change(token), which renames one button.

#include <string>

namespace falconer::bench {

std::string FormPage();
std::string TablePage();
// `far_origin` serves the cross-origin frame.
std::string AppPage(const std::string& far_origin);
// What both frames of the app page load.
std::string FramePage();

}  // namespace falconer::bench
