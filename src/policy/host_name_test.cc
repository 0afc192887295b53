#include "policy/host_name.h"

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

struct Spelling {
  const char* text;
  const char* host;
};

TEST(HostNameTest, EverySpellingHasOneForm) {
  constexpr Spelling kCases[] = {
      {"EXAMPLE.com", "example.com"},
      {"example.com.", "example.com"},
      {"b\xc3\xbc"
       "cher.example",
       "xn--bcher-kva.example"},
      {"xn--bcher-kva.example", "xn--bcher-kva.example"},
      {"XN--BCHER-KVA.example", "xn--bcher-kva.example"},
      // Full-width letters, an ideographic full stop, a soft hyphen, a sharp s.
      {"\xef\xbd\x87\xef\xbd\x8f.com", "go.com"},
      {"example\xe3\x80\x82"
       "com",
       "example.com"},
      {"exa\xc2\xadmple.com", "example.com"},
      {"fa\xc3\x9f.example", "xn--fa-hia.example"},
  };
  for (const Spelling& spelling : kCases) {
    const auto host = ParseHost(spelling.text);
    ASSERT_TRUE(host) << spelling.text << ": " << Describe(host.error());
    EXPECT_EQ(host->text, spelling.host) << spelling.text;
    EXPECT_EQ(host->address_class, AddressClass::kPublic) << spelling.text;
  }
}

TEST(HostNameTest, EverySpellingOfLoopbackIsLoopback) {
  for (const char* text :
       {"127.0.0.1", "127.0.0.1.", "127.1", "2130706433", "2130706433.", "0x7f000001", "0X7F.0.1",
        "0177.1", "017700000001", "0x7f.0x0.0x0.0x1", "127.0x1", "127.00000000000000001",
        // Full-width digits and stops, circled digits.
        "\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1",
        "127\xe3\x80\x82"
        "0\xe3\x80\x82"
        "0\xe3\x80\x82"
        "1",
        "\xe2\x91\xa0\xe2\x91\xa1\xe2\x91\xa6.0.0.1", "\xef\xbc\x90x7f.1", "[::1]",
        "[0:0:0:0:0:0:0:1]", "[::ffff:7f00:1]", "[::FFFF:127.0.0.1]", "[64:ff9b::7f00:1]",
        "localhost", "LOCALHOST.", "a.b.localhost", "\xef\xbd\x8cocalhost"}) {
    const auto host = ParseHost(text);
    ASSERT_TRUE(host) << text << ": " << Describe(host.error());
    EXPECT_EQ(host->address_class, AddressClass::kLoopback) << text << " -> " << host->text;
  }
}

TEST(HostNameTest, AnAddressThatStandsForAnotherIsThatHost) {
  for (const char* text :
       {"8.8.8.8", "[::ffff:8.8.8.8]", "[::ffff:808:808]", "[64:ff9b::8.8.8.8]"}) {
    EXPECT_EQ(ParseHost(text)->text, "8.8.8.8") << text;
  }
  EXPECT_EQ(ParseHost("[::8.8.8.8]")->text, "[::8.8.8.8]");
}

TEST(HostNameTest, WhatBrowsersRefuseOrRepairIsRefused) {
  for (const char* text : {"",
                           ".",
                           "..",
                           "a..b",
                           ".a",
                           "a%2eb",
                           "%31%32%37.0.0.1",
                           "a b",
                           "a\tb",
                           "a/b",
                           "a\\b",
                           "a@b",
                           "a:80",
                           "a#b",
                           "a?b",
                           "a<b",
                           "[::1",
                           "::1",
                           "[::1]x",
                           "[::1%25lo]",
                           "[::127.0.0.1.]",
                           "[1::2::3]",
                           "1.2.3.4.5",
                           "256.1",
                           "0x1ffffffff",
                           "a.09",
                           "\xc2\xad",
                           "\xff",
                           "a\xe2\x80\x8b\xef\xbf\xbf"}) {
    const auto host = ParseHost(text);
    EXPECT_FALSE(host) << text << " -> " << host->text;
  }
}

}  // namespace
}  // namespace falconer::policy
