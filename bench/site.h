#pragma once
// Where the benchmark pages are and how a visit to one is checked. The page takes its nonce from
// the query, so an answer that shows the nonce was read from this very load.

#include <string>
#include <string_view>
#include <vector>

#include "bench/outcome.h"

namespace falconer::bench {

// One load of a page: its address, and the texts that any honest reading of it shows.
struct Visit {
  std::string url;
  std::string nonce;
  std::vector<std::string> marks;
};

struct Site {
  std::string origin;  // "http://127.0.0.1:PORT"

  Visit Form(std::string_view nonce) const;
  // The form that also announces its load, fill and click on the console.
  Visit AnnouncingForm(std::string_view nonce) const;
  Visit Table(std::string_view nonce) const;
  Visit App(std::string_view nonce) const;
};

// The inputs of the form page, in document order: field0 to field6.
inline constexpr int kFormFields = 7;
std::string FieldName(int index);

// Fails when the reading lacks one of the marks.
Outcome<void> RequireMarks(std::string_view reading, const std::vector<std::string>& marks);

}  // namespace falconer::bench
