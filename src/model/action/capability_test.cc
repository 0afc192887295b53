#include "model/action/capability.h"

#include <gtest/gtest.h>

namespace falconer::model {
namespace {

TEST(CapabilityTest, EveryRowCanBeNamedWithAndWithoutPrefix) {
  int number = 0;
  for (const auto& [capability, name] : kCapabilities) {
    EXPECT_EQ(static_cast<int>(capability), number++) << "rows follow the enumeration";
    EXPECT_EQ(CapabilityName(capability), name);
    EXPECT_EQ(CapabilitiesNamed(name), CapabilitySet{capability});
    EXPECT_EQ(CapabilitiesNamed("CAP_" + std::string(name)), CapabilitySet{capability});
  }
  EXPECT_EQ(number, 14);
}

TEST(CapabilityTest, MutateIsWriteAndSubmit) {
  const CapabilitySet both = {Capability::kWrite, Capability::kSubmit};
  EXPECT_EQ(CapabilitiesNamed("MUTATE"), both);
  EXPECT_EQ(CapabilitiesNamed("CAP_MUTATE"), both);
}

TEST(CapabilityTest, UnknownNamesAreNothing) {
  for (const char* name : {"", "read", "CAP_", "READ ", "CAP_CAP_READ"}) {
    EXPECT_FALSE(CapabilitiesNamed(name)) << name;
  }
}

TEST(CapabilityTest, SetsBehaveLikeSets) {
  const CapabilitySet read = {Capability::kRead};
  const CapabilitySet both = read | CapabilitySet{Capability::kAdmin};

  EXPECT_TRUE(both.ContainsAll(read));
  EXPECT_FALSE(read.ContainsAll(both));
  EXPECT_TRUE(both.Intersects(read));
  EXPECT_EQ(both - read, CapabilitySet{Capability::kAdmin});
  EXPECT_TRUE(CapabilitySet().empty());
  EXPECT_EQ(CapabilityNames(both), (std::vector<std::string_view>{"READ", "ADMIN"}));
}

}  // namespace
}  // namespace falconer::model
