#pragma once
// The pictures that a run made, for its report.

#include "agent/report/run_report.h"
#include "browser/context/artifact_manager.h"

namespace falconer::api {

// Reads disks when it is called. `manager` must outlive it.
agent::PictureSource PicturesOf(const browser::ArtifactManager& manager,
                                browser::ArtifactOwner owner);

}  // namespace falconer::api
