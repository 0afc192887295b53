#include "browser/context/permissions.h"

#include "cdp/connection.h"
#include "tests/support/co_test.h"
#include "tests/support/fake_cdp_peer.h"

namespace falconer::browser {
namespace {

CO_TEST(PermissionsTest, GrantsWhatIsNamedAndDeniesTheRest) {
  test::FakeCdpPeer peer(ctx.executor());
  cdp::Connection connection(ctx.executor(), ctx.clock(), peer.MakeTransport(), {});
  const auto sent = SendPermissions(*connection.root(), "c1", {"geolocation"});
  EXPECT_TRUE(sent);
  EXPECT_EQ(peer.sent().size(), AllPermissions().size());
  for (const auto& command : peer.sent()) {
    const bool is_granted = command.params.at("permission").at("name") == "geolocation";
    EXPECT_EQ(command.params.at("setting"), is_granted ? "granted" : "denied");
    EXPECT_EQ(command.params.at("browserContextId"), "c1");
  }
  co_return;
}

CO_TEST(PermissionsTest, NamesAPermissionThatDoesNotExist) {
  test::FakeCdpPeer peer(ctx.executor());
  cdp::Connection connection(ctx.executor(), ctx.clock(), peer.MakeTransport(), {});
  const auto sent = SendPermissions(*connection.root(), "c1", {"geolocation", "geo"});
  EXPECT_FALSE(sent);
  if (!sent) EXPECT_EQ(sent.error().message(), "permissions: there is no permission geo");
  EXPECT_TRUE(peer.sent().empty());
  co_return;
}

}  // namespace
}  // namespace falconer::browser
