#pragma once
// Terminal: where a command speaks to people. Results go to `out`, complaints to `err`, each line
// at once; colour only where a person sees it.

#include <ostream>
#include <string>
#include <string_view>

namespace falconer::app {

enum class Colour { kOff, kOn };
enum class Ink { kPlain, kBold, kDim, kGreen, kYellow, kRed };

class Terminal {
 public:
  // Both streams must outlive the terminal. `colour` holds for `out`; complaints have none.
  Terminal(std::ostream& out, std::ostream& err, Colour colour)
      : out_(out), err_(err), colour_(colour) {}
  // Standard output and error; coloured when standard output is a terminal, unless NO_COLOR is set.
  static Terminal OfProcess();

  // Writes one line and hands it to the system.
  void Print(std::string_view line = "");
  // The same for text that ends its own lines.
  void PrintText(std::string_view text);
  void Complain(std::string_view line);

  // Whether something that was printed did not arrive.
  bool has_lost_output() const { return !out_; }

  // The text in the ink, or as it is where there is no colour.
  std::string Paint(Ink ink, std::string_view text) const;

 private:
  std::ostream& out_;
  std::ostream& err_;
  Colour colour_;
};

}  // namespace falconer::app
