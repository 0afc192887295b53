#pragma once
// The tables of the control store, and how an older file becomes today's: one migration per
// version, each applied once and noted in the table of migrations.

#include "base/async/clock.h"
#include "store/sqlite/database.h"

namespace falconer::store {

// The version a file has after Migrate().
int NewestSchema();

// Brings the file to the newest version. kStoreDamaged when the file is a database of something
// else, kUnsupported when a newer program made it.
Result<void> Migrate(Database& database, WallTime now);

}  // namespace falconer::store
