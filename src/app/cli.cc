#include "app/cli.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>

#include "app/version.h"
#include "base/suggest.h"

namespace falconer::app {
namespace {

constexpr std::string_view kAbout =
    "Falconer lets AI agents act on the web under control: one native program that drives real\n"
    "Chromium and answers every action with what was observed.";
constexpr std::string_view kCodes =
    "Exit codes: 0 done, 1 failed, 2 wrong usage or settings, 128+N ended by signal N.";

struct GroupRow {
  std::string_view name;
  std::string_view help;
};

// Commands of two words share their first one.
constexpr GroupRow kGroups[] = {
    {"approvals", "See and answer what waits for people."},
    {"audit", "Read, verify, prove, export and archive the ledger."},
    {"breakers", "List and reset the circuits of sites that are down."},
    {"config", "Show, check and describe the settings."},
    {"keys", "List, rotate and remove the keys that sign tokens."},
    {"policy", "Write, check and try out policies."},
    {"predict", "What was learnt of what is done, and what it predicts."},
    {"quota", "Show and set what tenants may use."},
    {"quarantine", "Texts of pages that were put away instead of shown to a model."},
    {"schema", "JSON Schema of what callers send and get."},
    {"secrets", "Add, list, revoke and remove secrets of the encrypted vault."},
    {"workflows", "List, show, edit, move and forget learned workflows."},
    {"token", "Make, check, list and revoke capability tokens."},
};

// The table as the library sees it.
class Parser {
 public:
  Parser();

  std::expected<CommandLine, Answer> Parse(const std::vector<std::string>& words);

 private:
  struct Leaf {
    const Command* command;
    CLI::App* app;
  };

  void Add(const Command& command);
  void AddOption(CLI::App& app, const OptionRow& row);
  void Take(const OptionMember& member, const std::string& value);
  CLI::App& Parent(std::string_view name);
  const CLI::App& Deepest() const;
  Answer MissingCommand() const;
  bool HasUnknownOption() const;
  Answer Unknown() const;

  CLI::App root_{std::string(kAbout), "falconer"};
  Arguments arguments_;
  std::vector<Leaf> leaves_;
  std::map<std::string, CLI::App*, std::less<>> groups_;
};

Parser::Parser() {
  root_.set_version_flag("--version", "falconer " + std::string(Version()));
  root_.footer(
      fmt::format("Start with `falconer demo`. Every command has its own --help.\n{}", kCodes));
  root_.require_subcommand(0, 1);
  for (const OptionRow& row : CommonOptions()) AddOption(root_, row);
  for (const Command& command : AllCommands()) Add(command);
}

CLI::App& Parser::Parent(std::string_view name) {
  const std::size_t space = name.find(' ');
  if (space == std::string_view::npos) return root_;
  const std::string first(name.substr(0, space));
  CLI::App*& group = groups_[first];
  if (group == nullptr) {
    const auto* row = std::ranges::find(kGroups, first, &GroupRow::name);
    group = root_.add_subcommand(first, row == std::end(kGroups) ? "" : std::string(row->help));
    group->require_subcommand(0, 1);
    for (const OptionRow& option : CommonOptions()) AddOption(*group, option);
  }
  return *group;
}

void Parser::Add(const Command& command) {
  const std::string name(command.name.substr(command.name.rfind(' ') + 1));
  CLI::App* app = Parent(command.name).add_subcommand(name, std::string(command.help));
  app->footer(fmt::format("Examples:\n{}{}{}", command.examples, command.notes.empty() ? "" : "\n",
                          command.notes));
  for (const OptionRow& row : command.options) AddOption(*app, row);
  for (const OptionRow& row : CommonOptions()) AddOption(*app, row);
  leaves_.push_back({&command, app});
}

void Parser::AddOption(CLI::App& app, const OptionRow& row) {
  // "TASK?" is a word that may be left out.
  const bool may_lack = row.name.ends_with('?');
  const std::string name(row.name.substr(0, row.name.size() - (may_lack ? 1 : 0)));
  const std::string help(row.help);
  if (const auto* flag = std::get_if<bool Arguments::*>(&row.member)) {
    app.add_flag_callback(name, [this, member = *flag] { arguments_.*member = true; }, help);
    return;
  }
  CLI::Option* option = app.add_option_function<std::vector<std::string>>(
      name,
      [this, member = row.member](const std::vector<std::string>& values) {
        for (const std::string& value : values) Take(member, value);
      },
      help);
  option->type_name(std::string(row.value))->expected(1);
  const bool is_list = std::holds_alternative<std::vector<std::string> Arguments::*>(row.member);
  if (!name.starts_with("-")) {
    if (is_list) option->expected(1, CLI::detail::expected_max_vector_size);
    option->required(!may_lack);
    return;
  }
  // One value each time it is given: what follows is the command's own word.
  option->allow_extra_args(false);
  option->multi_option_policy(is_list ? CLI::MultiOptionPolicy::TakeAll
                                      : CLI::MultiOptionPolicy::TakeLast);
}

// One by one: an option may stand before and after the command's name.
void Parser::Take(const OptionMember& member, const std::string& value) {
  if (const auto* path = std::get_if<std::filesystem::path Arguments::*>(&member)) {
    arguments_.*(*path) = value;
  } else if (const auto* text = std::get_if<std::string Arguments::*>(&member)) {
    arguments_.*(*text) = value;
  } else {
    (arguments_.*std::get<std::vector<std::string> Arguments::*>(member)).push_back(value);
  }
}

// The command, or group of commands, that the words led to.
const CLI::App& Parser::Deepest() const {
  const CLI::App* app = &root_;
  while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
  return *app;
}

std::vector<std::string> SubcommandNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands({})) names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> OptionNames(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) names.push_back(option->get_name());
  return names;
}

// "falconer config", to be typed again.
std::string PathOf(const CLI::App& app) {
  const CLI::App* parent = app.get_parent();
  return parent == nullptr ? app.get_name() : PathOf(*parent) + " " + app.get_name();
}

std::string HelpOf(const CLI::App& app) {
  std::string text = app.help(app.get_parent() == nullptr ? "" : PathOf(*app.get_parent()));
  // The library leaves no line between what a command is for and how it is called.
  if (const std::size_t usage = text.find("\nUsage:"); usage != std::string::npos) {
    text.insert(usage, "\n");
  }
  return text;
}

Answer Parser::MissingCommand() const {
  const CLI::App& app = Deepest();
  return {kExitUsage, fmt::format("{}: a command is missing\n\n{}", PathOf(app), HelpOf(app))};
}

bool Parser::HasUnknownOption() const {
  const std::vector<std::string> left = root_.remaining(true);
  return !left.empty() && left.front().starts_with("-");
}

Answer Parser::Unknown() const {
  const CLI::App& app = Deepest();
  const std::string word = root_.remaining(true).front();
  const bool is_option = word.starts_with("-");
  const auto names = is_option ? OptionNames(app) : SubcommandNames(app);
  const auto meant = Closest(word, names);
  const std::string_view kind = is_option ? "option" : names.empty() ? "argument" : "command";
  return {kExitUsage,
          fmt::format("{}: there is no {} \"{}\"{}\nsee {} --help\n", PathOf(app), kind, word,
                      meant ? fmt::format("; did you mean {}?", *meant) : "", PathOf(app))};
}

bool WantsJson(const std::vector<std::string>& words) {
  return std::ranges::find(words, "--json") != words.end();
}

std::expected<CommandLine, Answer> Parser::Parse(const std::vector<std::string>& words) {
  try {
    // The library takes its words from the back.
    root_.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    return std::unexpected(Answer{kExitOk, HelpOf(Deepest())});
  } catch (const CLI::CallForVersion&) {
    // The library breaks off before it has seen all options.
    arguments_.wants_json = WantsJson(words);
    const auto version = std::ranges::find(AllCommands(), "version", &Command::name);
    return CommandLine{&*version, std::move(arguments_)};
  } catch (const CLI::ExtrasError&) {
    return std::unexpected(Unknown());
  } catch (const CLI::ParseError& error) {
    // What stands behind an option that does not exist is taken for one word too many.
    if (HasUnknownOption()) return std::unexpected(Unknown());
    return std::unexpected(
        Answer{kExitUsage, fmt::format("{}: {}\nsee {} --help\n", PathOf(Deepest()), error.what(),
                                       PathOf(Deepest()))});
  }
  const auto found = std::ranges::find_if(leaves_, [](const Leaf& l) { return l.app->parsed(); });
  if (found == leaves_.end()) return std::unexpected(MissingCommand());
  return CommandLine{found->command, std::move(arguments_)};
}

// Whoever asks for JSON gets it, also when the words are wrong.
void Say(const Answer& answer, const std::vector<std::string>& words, Terminal& terminal) {
  if (answer.exit_code == kExitOk) return terminal.PrintText(answer.text);
  if (!WantsJson(words)) return terminal.Complain(answer.text.substr(0, answer.text.size() - 1));
  const std::string first_line = answer.text.substr(0, answer.text.find('\n'));
  PrintError(terminal, OutputForm::kJson, Error(ErrorCode::kInvalidArgument, first_line));
}

int RunOrExplain(const std::vector<std::string>& words, std::vector<std::string> environment,
                 Terminal& terminal) {
  auto parsed = ParseCommandLine(words);
  if (!parsed) {
    Say(parsed.error(), words, terminal);
    return parsed.error().exit_code;
  }
  parsed->arguments.environment = std::move(environment);
  return parsed->command->run(parsed->arguments, terminal);
}

}  // namespace

std::expected<CommandLine, Answer> ParseCommandLine(const std::vector<std::string>& words) {
  return Parser().Parse(words);
}

int RunCommandLine(const std::vector<std::string>& words, std::vector<std::string> environment,
                   Terminal& terminal) {
  const int code = RunOrExplain(words, std::move(environment), terminal);
  if (!terminal.has_lost_output()) return code;
  terminal.Complain("error: IO_ERROR: the answer could not be written to standard output");
  terminal.Complain("hint:  whoever reads it has closed it, or the disk it leads to is full");
  return code == kExitOk ? kExitFailed : code;
}

}  // namespace falconer::app
