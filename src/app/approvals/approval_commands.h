#pragma once
// `falconer approvals ...`: what waits for people, and their answers. None of it needs more than
// the data folder: the program that waits sees a decision within a quarter of a second.

#include "app/command.h"

namespace falconer::app {

int RunApprovalsList(const Arguments& arguments, Terminal& terminal);
int RunApprovalsShow(const Arguments& arguments, Terminal& terminal);
int RunApprovalsApprove(const Arguments& arguments, Terminal& terminal);
int RunApprovalsDeny(const Arguments& arguments, Terminal& terminal);
// Until it is interrupted, which is its regular end.
int RunApprovalsWatch(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kApprovalOption = {"ID", "ID", "The approval: apr_ and 24 hex digits.",
                                              &Arguments::approval};
inline constexpr OptionRow kApproverOption = {
    "--as", "NAME", "Who decides; the user of the system when not given.", &Arguments::approver};

inline constexpr OptionRow kApprovalsListOptions[] = {
    {"--state", "NAME", "pending (when not given), approved, denied, expired, void or all.",
     &Arguments::approval_state},
    {"--tenant", "NAME", "Only those of this tenant.", &Arguments::tenant},
    {"--limit", "N", "Most rows, 1 to 1000; 50 when not given.", &Arguments::limit},
};
inline constexpr OptionRow kApprovalsShowOptions[] = {kApprovalOption};
inline constexpr OptionRow kApprovalsApproveOptions[] = {
    kApprovalOption,
    {"--reason", "TEXT", "Why; goes on record.", &Arguments::reason},
    kApproverOption,
};
inline constexpr OptionRow kApprovalsDenyOptions[] = {
    kApprovalOption,
    {"--reason", "TEXT", "Why; must be given. Whoever asked is told.", &Arguments::reason},
    kApproverOption,
};
inline constexpr OptionRow kApprovalsWatchOptions[] = {
    {"--tenant", "NAME", "Only those of this tenant.", &Arguments::tenant},
};
inline constexpr std::string_view kApprovalsNotes =
    "Whoever can write to the data folder can decide: the permissions of the folder are what\n"
    "protects approvals on one machine. --as is not checked against anything but the terms.";

}  // namespace falconer::app
