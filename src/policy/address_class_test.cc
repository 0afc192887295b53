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
      {"169.254.169.254", kLinkLocal},
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
      {"168.63.129.16", kPrivate},
      {"168.63.129.15", kPublic},
      {"168.63.129.17", kPublic},
      {"192.31.195.255", kPublic},
      {"192.31.196.1", kReserved},
      {"192.52.193.1", kReserved},
      {"192.175.48.1", kReserved},
      {"192.175.49.0", kPublic},
      {"192.0.0.192", kReserved},
      {"100.100.100.200", kCarrierNat},
      {"[fd00:ec2::254]", kPrivate},
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

TEST(AddressClassTest, AWrappedAddressIsWhatItWraps) {
  constexpr Row kRows[] = {
      {"[::ffff:127.0.0.1]", kLoopback},
      {"[::ffff:8.8.8.8]", kPublic},
      {"[::ffff:a9fe:a9fe]", kLinkLocal},
      {"[64:ff9b::10.0.0.1]", kPrivate},
      {"[64:ff9b::8.8.8.8]", kPublic},
      {"[2002:7f00:1::]", kLoopback},
      {"[2002:c0a8:101::1]", kPrivate},
      {"[2002:808:808::1]", kPublic},
      // Teredo: server 65.54.227.120, client 192.0.2.45 (xored).
      {"[2001:0:4136:e378:8000:63bf:3fff:fdd2]", kDocumentation},
      // The same server, client 8.8.8.8.
      {"[2001:0:4136:e378:8000:63bf:f7f7:f7f7]", kPublic},
      // ISATAP below a public, a private and a wrapping prefix.
      {"[2606:4700::5efe:10.0.0.1]", kPrivate},
      {"[2606:4700::200:5efe:169.254.169.254]", kLinkLocal},
      {"[2606:4700::5efe:8.8.8.8]", kPublic},
      {"[2606:4700::100:5efe:10.0.0.1]", kPublic},
      {"[fe80::5efe:8.8.8.8]", kLinkLocal},
      {"[2002:808:808::5efe:127.0.0.1]", kLoopback},
      {"[2002:a00:1::5efe:8.8.8.8]", kPrivate},
      // Server 10.0.0.1.
      {"[2001:0:a00:1:8000:63bf:f7f7:f7f7]", kPrivate},
  };
  for (const Row& row : kRows) {
    const auto address = LiteralAddress(row.host);
    ASSERT_TRUE(address && address->has_value()) << row.host;
    EXPECT_EQ(NameIn(kAddressClasses, ClassOf(**address)), NameIn(kAddressClasses, row.expected))
        << row.host;
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
