#pragma once
// How many vectors of a set came out right.

namespace falconer::test {

struct Score {
  int right = 0;
  int all = 0;
};

}  // namespace falconer::test
