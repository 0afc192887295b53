#include "bench/site.h"

namespace falconer::bench {
namespace {

Visit MakeVisit(const std::string& url, std::string_view nonce, std::vector<std::string> marks) {
  return {url + std::string(nonce), std::string(nonce), std::move(marks)};
}

std::string Mark(std::string_view kind, std::string_view nonce) {
  return std::string(kind) + " " + std::string(nonce);
}

}  // namespace

Visit Site::Form(std::string_view nonce) const {
  return MakeVisit(origin + "/form?n=", nonce, {Mark("Mark", nonce), "Increment"});
}

Visit Site::AnnouncingForm(std::string_view nonce) const {
  return MakeVisit(origin + "/form?announce=1&n=", nonce, {Mark("Mark", nonce), "Increment"});
}

Visit Site::Table(std::string_view nonce) const {
  return MakeVisit(origin + "/table?n=", nonce, {Mark("Mark", nonce)});
}

Visit Site::App(std::string_view nonce) const {
  return MakeVisit(origin + "/app?n=", nonce,
                   {Mark("Mark", nonce), Mark("Shadow mark", nonce), Mark("Near mark", nonce),
                    Mark("Far mark", nonce)});
}

std::string FieldName(int index) {
  return "field" + std::to_string(index % kFormFields);
}

Outcome<void> RequireMarks(std::string_view reading, const std::vector<std::string>& marks) {
  for (const auto& mark : marks) {
    if (!reading.contains(mark)) return Fail("the reading does not show \"" + mark + "\"");
  }
  return {};
}

}  // namespace falconer::bench
