#pragma once
// ConsoleLink: leads the person at this machine into the console without a key to paste. The key is
// made for one run and known to the link only. What is opened is a page that holds the link: words
// on a command line are seen by every user of a machine, this file by its own.

#include <filesystem>
#include <string>

#include "api/http/access_keys.h"
#include "app/terminal.h"

namespace falconer::app {

class ConsoleLink {
 public:
  // Adds its key to those of the server. The page is put into `folder`, which must exist.
  ConsoleLink(const std::filesystem::path& folder, api::AccessKeys& keys);
  // Takes the page away; the key ends with the server.
  ~ConsoleLink();
  ConsoleLink(const ConsoleLink&) = delete;
  ConsoleLink& operator=(const ConsoleLink&) = delete;

  // Says where the console of the server at `url` is, and opens it where there is a display. A page
  // that cannot be opened is no failure: the person has the link.
  void Show(const std::string& url, Terminal& terminal) const;

 private:
  std::filesystem::path page_;
  std::string key_;
};

}  // namespace falconer::app
