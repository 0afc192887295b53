#pragma once
// The commands as a table: what each is called, says of itself, takes and does. Parsing, help and
// suggestions come from it; a new command is one row and one function.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/report.h"
#include "app/terminal.h"
#include "base/settings/settings.h"

namespace falconer::app {

// Everything a command line can say. Which of it a command listens to is in its row.
struct Arguments {
  bool wants_json = false;
  std::filesystem::path config;
  std::vector<std::string> settings;  // "key=value"
  bool is_visible = false;
  bool stays_open = false;
  std::filesystem::path output = "falconer-demo";
  std::filesystem::path file;
  // Which chain, record and records of the ledger (app/audit).
  std::string tenant;
  std::string seq;
  std::string agent;
  std::string session;
  std::string plan;
  std::string run;
  std::string workflow;
  std::string action;
  std::string kind;
  std::string start;
  std::string end;
  std::string limit = "50";
  std::string cursor = "1";
  std::string format = "json";
  std::filesystem::path export_file;
  std::filesystem::path archive;
  std::filesystem::path checkpoint;
  std::filesystem::path since;
  std::filesystem::path key;
  bool allows_unsigned = false;
  // How contracts are carried out (app/act).
  bool is_dry = false;
  bool keeps_going = false;
  // Groups of tools (app/mcp).
  std::string tools;
  // Whether the server plays the demo, and leads into its console (app/serve).
  bool plays_demo = false;
  bool opens_console = false;
  // What is replayed, and what may differ (app/replay).
  std::string name;
  std::vector<std::string> expected;
  // Tokens and the keys that sign them (app/token).
  std::string algorithm;
  std::string key_name;
  std::string grace;
  std::string token;
  std::string token_id;
  std::vector<std::string> capabilities;
  std::vector<std::string> domains;
  std::vector<std::string> urls;
  std::string max_purchase;
  std::string amount;
  std::string lifetime;
  std::string proof;
  std::string reason;
  bool bars_pii = false;
  // What a policy is asked about (app/policy).
  std::string example;
  std::string rule_set = "rules";
  std::string tier;
  std::string page;
  std::string at;
  std::string label;
  std::string method;
  std::string outcome;
  std::filesystem::path recorded;
  // What is put into the vault (app/secrets).
  std::vector<std::string> secret_hosts;
  std::string secret_type;
  std::string secret_field;
  std::string secret_from;
  std::vector<std::string> secret_agents;
  std::vector<std::string> secret_pages;
  bool is_ephemeral = false;
  bool is_single_use = false;
  bool uses_keyring = false;
  // Limits of tenants, circuits, and where evidence goes (app/quota, app/kill).
  std::vector<std::string> limits;
  std::string domain;
  std::filesystem::path out;
  // Which approval, who decides, and which are listed (app/approvals).
  std::string approval;
  std::string approver;
  std::string approval_state;
  // Which jobs (app/jobs).
  std::string job;
  std::string job_state;
  std::string job_type;
  // What the built-in agent does, and within which limits (app/agent).
  std::string task;
  std::string max_steps;
  std::string max_time;
  std::string max_tokens;
  std::string max_cost;
  std::vector<std::string> allowed_tools;
  bool allows_ghost = false;
  // What is learnt, and done by it (app/predict).
  std::string learned;
  std::string act;
  std::vector<std::string> parameters;
  std::string profile;
  std::string count;
  std::string url;
  bool is_live = false;
  bool shows_yaml = false;
  bool replaces = false;
  bool bars_model = false;
  bool keeps_optional = false;
  // How predictions are tried out (app/predict).
  std::string seed;
  std::string folds;
  // "NAME=value" lines; not from the command line.
  std::vector<std::string> environment;

  OutputForm form() const { return wants_json ? OutputForm::kJson : OutputForm::kText; }
};

using OptionMember =
    std::variant<bool Arguments::*, std::string Arguments::*, std::filesystem::path Arguments::*,
                 std::vector<std::string> Arguments::*>;

struct OptionRow {
  std::string_view
      name;  // "--visible"; "FILE" for a word that must be given, "TASK?" for one that may
  std::string_view value;  // what stands for the value in the help; empty for a flag
  std::string_view help;
  OptionMember member;
};

struct Command {
  std::string_view name;  // one or two words
  std::string_view help;
  std::string_view examples;  // lines
  std::span<const OptionRow> options;
  // Returns the exit code; prints its own errors.
  int (*run)(const Arguments& arguments, Terminal& terminal);
  std::string_view notes = "";  // what else its help says; lines
};

std::span<const Command> AllCommands();
// Options that every command has.
std::span<const OptionRow> CommonOptions();

// What the words of the command line and the environment say about settings. kInvalidArgument for a
// --set that is not "key=value", kInvalidSetting (with a suggestion) for a key that does not exist.
Result<SettingsInput> SettingsInputFrom(const Arguments& arguments);

}  // namespace falconer::app
