#pragma once
// `falconer run TASK`: the built-in agent carries out a task, and a person can watch it.

#include "app/command.h"

namespace falconer::app {

// kExitOk only for a task that was completed; 3 when policy ended it; kExitUsage for bad words or
// settings; that of a signal; else kExitFailed.
int RunAgent(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kRunOptions[] = {
    {"TASK?", "TASK", "What to do, in words; at most 4000 characters.", &Arguments::task},
    {"--max-steps", "N", "Most steps; agent.internal.max_steps is the most.",
     &Arguments::max_steps},
    {"--max-time", "TIME", "Most time, such as 60s, without the time in which people decide.",
     &Arguments::max_time},
    {"--max-tokens", "N", "Most tokens, asked and answered.", &Arguments::max_tokens},
    {"--max-cost", "AMOUNT", "Most that the models may cost, such as 0.50.", &Arguments::max_cost},
    {"--allow-tool", "NAME", "Only these tools. Repeatable.", &Arguments::allowed_tools},
    {"--domain", "HOST", "Open addresses only at these hosts. Repeatable.", &Arguments::domains},
    {"--allow-ghost", "",
     "Let it read pages by their pictures where they cannot be read otherwise.",
     &Arguments::allows_ghost},
    {"--session", "NAME", "The session to work in; without it, one of its own.",
     &Arguments::session},
    {"--report", "FILE", "Write a report: a page, or with .jsonl the records.", &Arguments::out},
    {"--resume", "RUN", "Take up this run where it was broken off.", &Arguments::run},
};

inline constexpr std::string_view kRunNotes =
    "It needs agent.internal.enabled=true and a model in agent.providers (docs/agent.md).\n"
    "Exit codes:\n"
    "  0 completed, 1 ended otherwise, 2 wrong usage or settings, 3 ended by policy,\n"
    "  128+N ended by signal N; the first Ctrl-C cancels the run, which can be taken up again.";

}  // namespace falconer::app
