#include "policy/address_class.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

using enum AddressClass;

TEST(AddressClassTest, ReadsHostsAsChromiumDoes) {
  const std::pair<const char*, const char*> cases[] = {
      {"127.0.0.1", "127.0.0.1"},
      {"127.1", "127.0.0.1"},
      {"127.0.1", "127.0.0.1"},
      {"2130706433", "127.0.0.1"},
      {"0x7f000001", "127.0.0.1"},
      {"0X7F.1", "127.0.0.1"},
      {"0177.0.0.1", "127.0.0.1"},
      {"017700000001", "127.0.0.1"},
      {"0x7f.0.0.0x1", "127.0.0.1"},
      {"127.0.0.1.", "127.0.0.1"},
      {"0", "0.0.0.0"},
      {"0x", "0.0.0.0"},
      {"00.0.0.0", "0.0.0.0"},
      {"4294967295", "255.255.255.255"},
      {"8.8.2056", "8.8.8.8"},
      {"8.526344", "8.8.8.8"},
      {"[::1]", "::1"},
      {"[::ffff:127.0.0.1]", "::ffff:127.0.0.1"},
      {"[2001:DB8::1]", "2001:db8::1"},
      {"[0:0:0:0:0:0:0:1]", "::1"},
  };
  for (const auto& [host, text] : cases) {
    const auto address = LiteralAddress(host);
    ASSERT_TRUE(address) << host << ": " << Describe(address.error());
    ASSERT_TRUE(address->has_value()) << host;
    EXPECT_EQ((*address)->ToText(), text) << host;
  }
}

TEST(AddressClassTest, NamesAreNoAddresses) {
  for (const char* host : {"example.com", "1.example", "127.0.0.1.example", "a", "0x7g",
                           "1e100.net", "x127.0.0.1x", "0xg.com", "127-0-0-1.test", "1.2.3.4x"}) {
    const auto address = LiteralAddress(host);
    ASSERT_TRUE(address) << host;
    EXPECT_FALSE(address->has_value()) << host;
  }
}

TEST(AddressClassTest, RefusesHostsThatMustBeAddressesButAreNone) {
  for (const char* host : {"",
                           "256.0.0.1",
                           "1.2.3.256",
                           "1.2.3.4.5",
                           "1.2.65536",
                           "4294967296",
                           "0x100000000",
                           "08.0.0.1",
                           "1..2",
                           "1.2.3.09",
                           "a.1",
                           "foo.0x1",
                           "99999999999999999999999",
                           "[",
                           "[]",
                           "[::1",
                           "[::g]",
                           "[::1%25eth0]",
                           "[1:2:3]",
                           "[::1]x",
                           "[127.0.0.1]",
                           "0377777777777777777777"}) {
    EXPECT_FALSE(LiteralAddress(host)) << host;
  }
}

struct Row {
  const char* host;
  AddressClass expected;
};

TEST(AddressClassTest, KnowsWhatIsNotPublic) {
  constexpr Row kRows[] = {
      {"0.0.0.0", kUnspecified},
      {"0.1.2.3", kReserved},
      {"10.0.0.1", kPrivate},
      {"10.255.255.255", kPrivate},
      {"9.255.255.255", kPublic},
      {"11.0.0.0", kPublic},
      {"100.63.255.255", kPublic},
      {"100.64.0.0", kCarrierNat},
      {"100.127.255.255", kCarrierNat},
      {"100.128.0.0", kPublic},
      {"127.0.0.1", kLoopback},
      {"127.255.255.255", kLoopback},
      {"169.254.169.254", kMetadata},
      {"169.254.170.2", kMetadata},
      {"169.254.169.253", kLinkLocal},
      {"169.253.255.255", kPublic},
      {"172.15.255.255", kPublic},
      {"172.16.0.0", kPrivate},
      {"172.31.255.255", kPrivate},
      {"172.32.0.0", kPublic},
      {"192.0.0.1", kReserved},
      {"192.0.2.1", kDocumentation},
      {"192.88.99.1", kReserved},
      {"192.168.1.1", kPrivate},
      {"192.167.255.255", kPublic},
      {"198.18.0.1", kBenchmark},
      {"198.19.255.255", kBenchmark},
      {"198.20.0.0", kPublic},
      {"198.51.100.7", kDocumentation},
      {"203.0.113.9", kDocumentation},
      {"224.0.0.1", kMulticast},
      {"239.255.255.255", kMulticast},
      {"240.0.0.1", kReserved},
      {"255.255.255.255", kBroadcast},
      {"8.8.8.8", kPublic},
      {"168.63.129.16", kMetadata},
      {"168.63.129.15", kPublic},
      {"168.63.129.17", kPublic},
      {"192.31.195.255", kPublic},
      {"192.31.196.1", kReserved},
      {"192.52.193.1", kReserved},
      {"192.175.48.1", kReserved},
      {"192.175.49.0", kPublic},
      {"192.0.0.192", kMetadata},
      {"100.100.100.200", kMetadata},
      {"100.100.100.201", kCarrierNat},
      {"[fd00:ec2::254]", kMetadata},
      {"[fd00:ec2::23]", kMetadata},
      {"[fd00:ec3::254]", kPrivate},
      {"[fd20:ce::254]", kMetadata},
      {"[fd20:cf::254]", kPrivate},
      {"[fd00:42::42]", kMetadata},
      {"[fe80::a9fe:a9fe]", kMetadata},
      {"[2620:4f:8000::1]", kReserved},
      {"[2620:4f:8001::1]", kPublic},
      {"[::ffff:0:127.0.0.1]", kReserved},
      {"[::8.8.8.8]", kReserved},
      {"[64:ff9b:1::8.8.8.8]", kReserved},
      {"[64:ff9b:1:ffff:ffff:ffff:ffff:ffff]", kReserved},
      {"[64:ff9b:2::1]", kReserved},
      {"[100:0:0:1::1]", kReserved},
      {"[2001:1::1]", kReserved},
      {"[2001:4:112::1]", kReserved},
      {"[2001:1ff:ffff::1]", kReserved},
      {"[2001:200::1]", kPublic},
      {"[::]", kUnspecified},
      {"[::1]", kLoopback},
      {"[::2]", kReserved},
      {"[::127.0.0.1]", kReserved},
      {"[fc00::1]", kPrivate},
      {"[fdff::1]", kPrivate},
      {"[fe80::1]", kLinkLocal},
      {"[febf::1]", kLinkLocal},
      {"[fec0::1]", kPrivate},
      {"[ff02::1]", kMulticast},
      {"[2001:db8::1]", kDocumentation},
      {"[3fff::1]", kDocumentation},
      {"[2001:2::1]", kBenchmark},
      {"[2001:20::1]", kReserved},
      {"[100::1]", kReserved},
      {"[64:ff9b:1::1]", kReserved},
      {"[5f00::1]", kReserved},
      {"[4000::1]", kReserved},
      {"[2606:4700::1111]", kPublic},
      {"[2a00:1450::1]", kPublic},
  };
  for (const Row& row : kRows) {
    const auto address = LiteralAddress(row.host);
    ASSERT_TRUE(address && address->has_value()) << row.host;
    EXPECT_EQ(NameIn(kAddressClasses, ClassOf(**address)), NameIn(kAddressClasses, row.expected))
        << row.host;
  }
}

TEST(AddressClassTest, AnAddressThatStandsForAnotherIsWhatThatIs) {
  constexpr Row kRows[] = {
      {"[::ffff:127.0.0.1]", kLoopback},
      {"[::ffff:8.8.8.8]", kPublic},
      {"[::ffff:a9fe:a9fe]", kMetadata},
      {"[::ffff:168.63.129.16]", kMetadata},
      {"[64:ff9b::10.0.0.1]", kPrivate},
      {"[64:ff9b::100.100.100.200]", kMetadata},
      {"[64:ff9b::8.8.8.8]", kPublic},
      // 6to4, Teredo and ISATAP are never public, wherever they lead.
      {"[2002:7f00:1::]", kReserved},
      {"[2002:808:808::1]", kReserved},
      {"[2001:0:4136:e378:8000:63bf:f7f7:f7f7]", kReserved},
      {"[2606:4700::5efe:10.0.0.1]", kReserved},
      {"[2606:4700::200:5efe:8.8.8.8]", kReserved},
      {"[2606:4700::100:5efe:10.0.0.1]", kPublic},
  };
  for (const Row& row : kRows) {
    const auto address = LiteralAddress(row.host);
    ASSERT_TRUE(address && address->has_value()) << row.host;
    EXPECT_EQ(NameIn(kAddressClasses, ClassOf(**address)), NameIn(kAddressClasses, row.expected))
        << row.host;
  }
}

TEST(AddressClassTest, ANetworkHasTheAddressesThatBeginAlike) {
  struct NetworkRow {
    const char* network;
    const char* host;
    bool expected;
  };
  constexpr NetworkRow kRows[] = {
      {"10.0.0.0/8", "10.255.0.1", true},        {"10.0.0.0/8", "11.0.0.0", false},
      {"172.16.0.0/12", "172.31.255.255", true}, {"172.16.0.0/12", "172.32.0.0", false},
      {"192.168.1.4/30", "192.168.1.7", true},   {"192.168.1.4/30", "192.168.1.8", false},
      {"10.1.2.3/32", "10.1.2.3", true},         {"[fd00::]/8", "[fdff::1]", true},
      {"[fd00::]/8", "[fc00::1]", false},        {"[fc00::]/7", "[fdff::1]", true},
      {"[fd00::]/8", "10.0.0.1", false},
  };
  for (const NetworkRow& row : kRows) {
    const auto network = ParseNetwork(row.network);
    ASSERT_TRUE(network) << row.network << ": " << Describe(network.error());
    EXPECT_EQ(network->Contains(**LiteralAddress(row.host)), row.expected)
        << row.network << " " << row.host;
    EXPECT_EQ(network->ToText(), row.network);
  }
  EXPECT_EQ(ParseNetwork("[::ffff:10.0.0.0]/104")->ToText(), "10.0.0.0/8");
  EXPECT_TRUE(ParseNetwork("10.0.0.0/8")->Contains(*ParseNetwork("10.1.0.0/16")));
  EXPECT_FALSE(ParseNetwork("10.1.0.0/16")->Contains(*ParseNetwork("10.0.0.0/8")));
}

TEST(AddressClassTest, RefusesWhatIsNoNetwork) {
  for (const char* text :
       {"", "/8", "10.0.0.0", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/8x",
        "10.0.0.1/8", "0.0.0.0/0", "0.0.0.0/6", "a.test/8", "[fd00::/8", "[fd00::]/129",
        "[fd00::1]/8", "[::]/0", "[::ffff:0.0.0.0]/96", "10.0.0.0/8/8"}) {
    EXPECT_FALSE(ParseNetwork(text)) << text;
  }
}

TEST(AddressClassTest, SomeNamesNeverLeadToThePublicInternet) {
  constexpr Row kRows[] = {
      {"localhost", kLoopback},    {"LOCALHOST.", kLoopback},
      {"a.localhost", kLoopback},  {"notlocalhost.test", kPublic},
      {"xlocalhost", kPrivate},    {"intranet", kPrivate},
      {"printer.local", kPrivate}, {"db.internal", kPrivate},
      {"nas.home.arpa", kPrivate}, {"metadata.google.internal", kPrivate},
      {"example.com", kPublic},    {"home.arpa.com", kPublic},
  };
  for (const Row& row : kRows) EXPECT_EQ(ClassOfName(row.host), row.expected) << row.host;
}

// Every IPv4 address must come out the same however it is written.
TEST(AddressClassTest, EveryWayToWriteAnAddressHasTheSameClass) {
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    const auto value = static_cast<std::uint32_t>(i * 2'654'435'761ULL);
    char text[4][64];
    std::snprintf(text[0], sizeof text[0], "%u.%u.%u.%u", value >> 24, value >> 16 & 255,
                  value >> 8 & 255, value & 255);
    std::snprintf(text[1], sizeof text[1], "%u", value);
    std::snprintf(text[2], sizeof text[2], "0x%x", value);
    std::snprintf(text[3], sizeof text[3], "0%o.%u", value >> 24, value & 0xffffff);
    const auto plain = LiteralAddress(text[0]);
    ASSERT_TRUE(plain && plain->has_value()) << text[0];
    for (const auto& other : text) {
      const auto read = LiteralAddress(other);
      ASSERT_TRUE(read && read->has_value()) << other;
      ASSERT_EQ(**read, **plain) << other;
    }
  }
}

}  // namespace
}  // namespace falconer::policy
