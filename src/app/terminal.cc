#include "app/terminal.h"

#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <unistd.h>

namespace falconer::app {
namespace {

std::string_view CodeOf(Ink ink) {
  switch (ink) {
    case Ink::kPlain:
      return "0";
    case Ink::kBold:
      return "1";
    case Ink::kDim:
      return "2";
    case Ink::kGreen:
      return "32";
    case Ink::kYellow:
      return "33";
    case Ink::kRed:
      return "1;31";
  }
  return "0";
}

std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nothing here sets it
  return value == nullptr ? "" : value;
}

Colour ColourOfProcess() {
  const std::string_view kind = Variable("TERM");
  const bool is_wanted = Variable("NO_COLOR").empty() && !kind.empty() && kind != "dumb";
  return is_wanted && ::isatty(STDOUT_FILENO) == 1 ? Colour::kOn : Colour::kOff;
}

}  // namespace

Terminal Terminal::OfProcess() {
  return {std::cout, std::cerr, ColourOfProcess()};
}

void Terminal::Print(std::string_view line) {
  out_ << line << '\n' << std::flush;
}

void Terminal::PrintText(std::string_view text) {
  out_ << text << std::flush;
}

void Terminal::Complain(std::string_view line) {
  err_ << line << '\n' << std::flush;
}

std::string Terminal::Paint(Ink ink, std::string_view text) const {
  if (colour_ == Colour::kOff || ink == Ink::kPlain) return std::string(text);
  return fmt::format("\x1b[{}m{}\x1b[0m", CodeOf(ink), text);
}

}  // namespace falconer::app
