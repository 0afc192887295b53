#include "policy/redaction/number_detectors.h"

#include <string>

#include <gtest/gtest.h>

namespace falconer::policy {
namespace {

TEST(NumberDetectorsTest, KnowsTheCardsOfEveryBrand) {
  for (const std::string_view card :
       {"4111111111111111", "4222222222222", "5555555555554444", "2223003122003222",
        "378282246310005", "30569309025904", "38520000023237", "3530111333300000",
        "6011111111111117", "6200000000000005", "4111 1111 1111 1111", "4111-1111-1111-1111",
        "3782 822463 10005"}) {
    EXPECT_EQ(CardLengthAt(card), card.size()) << card;
    EXPECT_EQ(CardLengthAt(std::string(card) + ", then"), card.size()) << card;
  }
}

TEST(NumberDetectorsTest, RefusesNumbersThatAreNoCards) {
  for (const char* text : {"4111111111111112", "411111111111111", "1234567890123452",
                           "41111111111111110000", "4111 1111 11111111", "4111-1111 1111-1111",
                           "4111111111111111x", "4111111111111111.5", "4111", ""}) {
    EXPECT_EQ(CardLengthAt(text), 0U) << text;
  }
}

TEST(NumberDetectorsTest, ChecksLuhnDigits) {
  EXPECT_TRUE(HasLuhnDigit("79927398713"));
  for (char last = '0'; last <= '9'; ++last) {
    EXPECT_EQ(HasLuhnDigit(std::string("7992739871") + last), last == '3') << last;
  }
}

TEST(NumberDetectorsTest, KnowsIbansByLengthAndRest) {
  for (const std::string_view iban :
       {"GB82WEST12345698765432", "DE89370400440532013000", "DE89 3704 0044 0532 0130 00",
        "FR1420041010050500013M02606", "NO9386011117947", "CH9300762011623852957"}) {
    EXPECT_EQ(IbanLengthAt(iban), iban.size()) << iban;
  }
  for (const char* text :
       {"GB82WEST12345698765433", "DE8937040044053201300", "XX89370400440532013000",
        "DE89370400440532013000X", "DE 89370400440532013000", "DE89"}) {
    EXPECT_EQ(IbanLengthAt(text), 0U) << text;
  }
}

TEST(NumberDetectorsTest, KnowsSocialSecurityNumbersThatWereIssued) {
  EXPECT_EQ(SsnLengthAt("123-45-6789"), 11U);
  for (const char* text : {"000-45-6789", "666-45-6789", "900-45-6789", "123-00-6789",
                           "123-45-0000", "123-45-67890", "123456789", "123-45-6789-1"}) {
    EXPECT_EQ(SsnLengthAt(text), 0U) << text;
  }
}

TEST(NumberDetectorsTest, KnowsTelephoneNumbers) {
  for (const std::string_view phone :
       {"+4930123456", "+49 30 123456", "+1 (555) 123-4567", "(555) 123-4567", "555-123-4567"}) {
    EXPECT_EQ(PhoneLengthAt(phone), phone.size()) << phone;
  }
  for (const char* text : {"+49", "+0123456789", "+12345678901234567", "5551234567", "+", "+1+2"}) {
    EXPECT_EQ(PhoneLengthAt(text), 0U) << text;
  }
}

}  // namespace
}  // namespace falconer::policy
