#pragma once
// The walls that a keeper puts around itself and the program it starts.

#include "agent/nodes/keeper/keeper_plan.h"

namespace falconer::agent {

// What is being put up, and where.
struct KeeperSite {
  KeeperPlan plan;
  char** hidden = nullptr;
  std::uint32_t bounds = 0;

  void Add(ChildBound bound) { bounds |= BitOf(bound); }
  bool Has(ChildBound bound) const { return (bounds & BitOf(bound)) != 0; }
};

// Each is kReady, or the step that failed with errno set. What the kernel does not offer is left
// out, unless the plan cannot do without it; what was put up is in bounds.

// Of the keeper: its group, its user, its namespaces.
StartStep EnterWalls(KeeperSite& site);
// Of the first process in a new space of processes: it shall see no others.
void ShowOwnProcesses();
// Of the program, last of all: its folder, its limits, its filter.
StartStep ConfineProgram(KeeperSite& site);

}  // namespace falconer::agent
