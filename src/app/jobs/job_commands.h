#pragma once
// `falconer jobs ...`: what waits, runs and is over. None of it needs more than the data folder:
// the server that runs a job sees within a few seconds that it is to end.

#include "app/command.h"

namespace falconer::app {

int RunJobsList(const Arguments& arguments, Terminal& terminal);
int RunJobsShow(const Arguments& arguments, Terminal& terminal);
int RunJobsCancel(const Arguments& arguments, Terminal& terminal);

inline constexpr OptionRow kJobOption = {"JOB", "JOB", "The job, as `falconer jobs list` shows it.",
                                         &Arguments::job};

inline constexpr OptionRow kJobsListOptions[] = {
    {"--state", "NAME", "Only those that are queued, running, ended, failed or cancelled.",
     &Arguments::job_state},
    {"--type", "NAME", "Only those of this type, such as crawl_url or agent_run.",
     &Arguments::job_type},
    {"--tenant", "NAME", "Only those of this tenant.", &Arguments::tenant},
    {"--limit", "N", "Most rows, 1 to 1000; 50 when not given.", &Arguments::limit},
};
inline constexpr OptionRow kJobsShowOptions[] = {kJobOption};
inline constexpr OptionRow kJobsCancelOptions[] = {
    kJobOption,
    {"--reason", "TEXT", "Why; goes on record, and whoever sent the job is told.",
     &Arguments::reason},
};

}  // namespace falconer::app
