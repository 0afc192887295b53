#include "bench/process_memory.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <system_error>

namespace falconer::bench {
namespace {

constexpr double kKibPerMib = 1024;

struct Mapping {
  std::string inode;  // "0" for memory without a file
  double rss_kib = 0;
  double pss_kib = 0;
};

std::string ProcFile(pid_t pid, const char* name) {
  return "/proc/" + std::to_string(pid) + "/" + name;
}

// A mapping starts with "from-to perms offset device inode path"; its figures follow as "Name: N
// kB".
std::vector<Mapping> ReadMappings(const std::string& path) {
  std::vector<Mapping> mappings;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    if (!first.ends_with(':')) {
      std::string skipped;
      Mapping next;
      words >> skipped >> skipped >> skipped >> next.inode;
      mappings.push_back(std::move(next));
    } else if (!mappings.empty() && first == "Rss:") {
      words >> mappings.back().rss_kib;
    } else if (!mappings.empty() && first == "Pss:") {
      words >> mappings.back().pss_kib;
    }
  }
  return mappings;
}

double ReadRollup(pid_t pid) {
  double sum = 0;
  for (const Mapping& each : ReadMappings(ProcFile(pid, "smaps_rollup"))) sum += each.pss_kib;
  return sum;
}

// The parent is the second field after the name, which may itself contain blanks and brackets.
pid_t ParentOf(const std::filesystem::path& folder) {
  std::ifstream file(folder / "stat");
  std::string text;
  std::getline(file, text);
  std::istringstream words(text.substr(std::min(text.rfind(')') + 1, text.size())));
  std::string state;
  pid_t parent = 0;
  words >> state >> parent;
  return parent;
}

}  // namespace

std::vector<pid_t> Descendants(pid_t root) {
  std::multimap<pid_t, pid_t> children;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    const int pid = std::atoi(entry.path().filename().c_str());
    if (pid > 0) children.emplace(ParentOf(entry.path()), pid);
  }
  std::vector<pid_t> found;
  std::vector<pid_t> open = {root};
  while (!open.empty()) {
    const auto [begin, end] = children.equal_range(open.back());
    open.pop_back();
    for (auto child = begin; child != end; ++child) {
      found.push_back(child->second);
      open.push_back(child->second);
    }
  }
  return found;
}

Outcome<double> OwnMemory(pid_t pid) {
  const auto mappings = ReadMappings(ProcFile(pid, "smaps"));
  if (mappings.empty()) return Fail("process " + std::to_string(pid) + " is gone");
  std::set<std::string> ours;
  for (const Mapping& each : ReadMappings("/proc/self/smaps")) {
    if (each.inode != "0") ours.insert(each.inode);
  }
  double sum = 0;
  for (const Mapping& each : mappings) {
    sum += ours.contains(each.inode) ? each.rss_kib : each.pss_kib;
  }
  return sum / kKibPerMib;
}

double TreeMemory(const std::vector<pid_t>& processes) {
  double sum = 0;
  for (const pid_t pid : processes) sum += ReadRollup(pid);
  return sum / kKibPerMib;
}

}  // namespace falconer::bench
