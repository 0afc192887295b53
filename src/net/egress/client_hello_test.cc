#include "net/egress/client_hello.h"

#include <gtest/gtest.h>

namespace falconer::net {
namespace {

using Found = HelloName::Found;

std::string Sized(std::size_t width, const std::string& bytes) {
  std::string out;
  for (std::size_t i = width; i-- > 0;) {
    out.push_back(static_cast<char>(bytes.size() >> (8 * i) & 0xff));
  }
  return out + bytes;
}

std::string Bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out.push_back(static_cast<char>(value));
  return out;
}

std::string NameExtension(const std::string& name) {
  return Bytes({0, 0}) + Sized(2, Sized(2, Bytes({0}) + Sized(2, name)));
}

std::string Hello(const std::string& extensions) {
  const std::string body = Bytes({3, 3}) + std::string(32, 'r') + Sized(1, std::string(32, 's')) +
                           Sized(2, Bytes({0x13, 0x01})) + Sized(1, Bytes({0})) +
                           Sized(2, extensions);
  return Bytes({1}) + Sized(3, body);
}

std::string Record(const std::string& handshake) {
  return Bytes({0x16, 3, 1}) + Sized(2, handshake);
}

TEST(ClientHelloTest, FindsTheNameBehindOtherExtensions) {
  const std::string other = Bytes({0x0a, 0x0a}) + Sized(2, "grease");

  const auto hello = ReadHelloName(Record(Hello(other + NameExtension("Shop.Example") + other)));

  EXPECT_EQ(hello.found, Found::kName);
  EXPECT_EQ(hello.name, "shop.example");
}

TEST(ClientHelloTest, WaitsForTheWholeGreeting) {
  const std::string all = Record(Hello(NameExtension("shop.example")));
  for (std::size_t size = 0; size < all.size(); ++size) {
    EXPECT_EQ(ReadHelloName(all.substr(0, size)).found, Found::kNeedMore) << size;
  }
}

TEST(ClientHelloTest, AGreetingMayBeSpreadOverRecords) {
  const std::string hello = Hello(NameExtension("shop.example"));
  std::string all;
  for (std::size_t at = 0; at < hello.size(); at += 7) all += Record(hello.substr(at, 7));

  EXPECT_EQ(ReadHelloName(all).name, "shop.example");
}

TEST(ClientHelloTest, AGreetingThatNeverEndsIsNoOtherProtocol) {
  const std::string begun = Bytes({1, 0xff, 0xff, 0xff}) + std::string(4096, 'r');
  std::string all;
  while (all.size() < kMaxHelloBytes) {
    EXPECT_EQ(ReadHelloName(all).found, Found::kNeedMore) << all.size();
    all += Record(begun);
  }
  EXPECT_EQ(ReadHelloName(all).found, Found::kTooLong);
}

TEST(ClientHelloTest, TellsWhatIsNoGreeting) {
  EXPECT_EQ(ReadHelloName("GET / HTTP/1.1\r\n").found, Found::kNotTls);
  EXPECT_EQ(ReadHelloName(Record(Bytes({2, 0, 0, 0}))).found, Found::kNotTls);
  EXPECT_EQ(ReadHelloName(Bytes({0x16, 9, 9, 0, 1, 1})).found, Found::kNotTls);
  EXPECT_EQ(ReadHelloName(Record(Hello(""))).found, Found::kNone);
  EXPECT_EQ(ReadHelloName(Record(Hello(Bytes({0, 0}) + Sized(2, "x")))).found, Found::kNone);
  EXPECT_EQ(ReadHelloName(std::string(kMaxHelloBytes, '\x16')).found, Found::kNotTls);
}

}  // namespace
}  // namespace falconer::net
