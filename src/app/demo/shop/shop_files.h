#pragma once
// The pages of the demo's shop, embedded from the files beside this one. Places in them are filled
// in by shop_pages.cc.

#include <string_view>

namespace falconer::app {

std::string_view ShopPageFile();
std::string_view ShopStyleFile();
std::string_view ShopScriptFile();
std::string_view ShopCatalogueFile();
std::string_view ShopGoodFile();
std::string_view ShopProductFile();
std::string_view ShopReviewFile();
std::string_view ShopHostileReviewFile();
std::string_view ShopStockFile();
std::string_view ShopSlowFile();
std::string_view ShopCartFile();
std::string_view ShopCartLineFile();
std::string_view ShopLoginFile();
std::string_view ShopCheckoutFile();
std::string_view ShopOrderFile();
std::string_view ShopMessageFile();

}  // namespace falconer::app
