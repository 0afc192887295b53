// Every tool of the catalog: how it is described, and how it refuses.

#include "api/tools/catalog.h"

#include <set>

#include "api/tools/navigation_tools.h"
#include "model/contract/contract.h"
#include "tests/support/co_test.h"

namespace falconer::api {
namespace {

// A host whose data folder cannot be used.
class BrokenHost final : public ToolHost {
 public:
  Result<ToolRooms> Rooms() override { return Fail(ErrorCode::kIoError, "the disk is gone"); }
  Task<AnswerBudget> Budget() override { co_return AnswerBudget(); }
};

struct CatalogBench {
  BrokenHost host;
  ToolContext context{host, "9"};
  ToolCatalog tools = MakeCatalog(context, ParseGroups("all").value());
};

std::string NameOf(const json::value& tool) {
  return TextAt(tool.get_object(), "name");
}

const json::object& Properties(const json::value& tool) {
  return tool.at("inputSchema").at("properties").get_object();
}

// Something that the schema of an argument allows.
json::value Sample(const json::object& schema) {
  if (const json::value* names = schema.if_contains("enum")) return names->get_array()[0];
  const json::value& types = schema.at("type");
  const std::string type(types.is_array() ? types.get_array()[0].get_string() : types.get_string());
  if (type == "string") return "d1e1";
  if (type == "boolean") return true;
  if (type == "integer") return 100;
  if (type == "number") return 2.5;
  if (type == "array" && schema.at("items").as_object().contains("properties"))
    return json::array{json::object{{"target", "d1e1"}, {"value", "x"}}};
  if (type == "array") return json::array{"x"};
  return json::object{};
}

Task<ToolAnswer> Run(CatalogBench* bench, CallContext ctx, std::string name,
                     json::object arguments) {
  ToolCall call{.arguments = std::move(arguments), .report = [](const std::string&) {}};
  co_return co_await bench->tools.Find(name)->run(std::move(ctx), std::move(call));
}

CO_TEST(CatalogTest, ANameOfAFileWithNulIsRefusedByItsField) {
  CatalogBench bench;
  const json::array paths{"a.txt", json::string("b\0.txt", 6)};

  const auto answer =
      co_await Run(&bench, ctx, "browser_file_upload", {{"target", "#f"}, {"paths", paths}});

  EXPECT_TRUE(answer.is_error);
  EXPECT_TRUE(answer.text.starts_with("error INVALID_ARGUMENT: paths[1]: must not contain NUL"))
      << answer.text;
}

json::object RequiredOnly(const json::value& tool) {
  json::object arguments;
  // It takes these or a sitemap.
  if (NameOf(tool) == "crawl_batch") arguments["urls"] = json::array{"a.test"};
  const json::value* required = tool.at("inputSchema").as_object().if_contains("required");
  if (required == nullptr) return arguments;
  for (const json::value& name : required->get_array()) {
    const std::string_view key = name.get_string();
    arguments[key] = Sample(Properties(tool).at(key).get_object());
  }
  return arguments;
}

TEST(CatalogTest, ListsEveryToolOnceAndAlwaysInTheSameOrder) {
  CatalogBench one;
  CatalogBench two;
  const std::set<std::string> wanted = {"browser_navigate",
                                        "browser_navigate_back",
                                        "browser_snapshot",
                                        "browser_click",
                                        "browser_type",
                                        "browser_fill_form",
                                        "browser_press_key",
                                        "browser_select_option",
                                        "browser_hover",
                                        "browser_drag",
                                        "browser_wait_for",
                                        "browser_take_screenshot",
                                        "browser_tabs",
                                        "browser_file_upload",
                                        "browser_handle_dialog",
                                        "browser_evaluate",
                                        "browser_network_requests",
                                        "browser_console_messages",
                                        "browser_resize",
                                        "browser_pdf_save",
                                        "browser_close",
                                        "execute_action",
                                        "execute_plan",
                                        "get_state",
                                        "find",
                                        "verify_audit_chain",
                                        "get_replay_trace",
                                        "get_health",
                                        "crawl_url",
                                        "crawl_batch",
                                        "markdown",
                                        "raw",
                                        "download",
                                        "crawler_info",
                                        "ghost_extract",
                                        "predict_next",
                                        "list_workflows",
                                        "run_workflow",
                                        "record_workflow",
                                        "do_intent"};

  std::multiset<std::string> listed;
  for (const json::value& tool : one.tools.ToJson()) listed.insert(NameOf(tool));

  EXPECT_EQ(listed, std::multiset<std::string>(wanted.begin(), wanted.end()));
  EXPECT_EQ(one.tools.ToJson(), two.tools.ToJson());
}

TEST(CatalogTest, TheDefaultListIsSmall) {
  BrokenHost host;
  ToolContext context(host, "9");
  const json::array core = MakeCatalog(context, ParseGroups("").value()).ToJson();

  EXPECT_LT(json::serialize(core).size(), 12u * 1024);
  std::size_t browser_tools = 0;
  for (const json::value& tool : core)
    browser_tools += NameOf(tool).starts_with("browser_") ? 1U : 0U;
  EXPECT_EQ(browser_tools, 21u);
}

TEST(CatalogTest, SchemasAreClosedAndDescriptionsAreOneShortSentence) {
  CatalogBench bench;
  for (const json::value& tool : bench.tools.ToJson()) {
    const json::object& schema = tool.at("inputSchema").get_object();
    EXPECT_EQ(schema.at("additionalProperties"), false) << NameOf(tool);
    EXPECT_TRUE(tool.at("annotations").get_object().contains("readOnlyHint")) << NameOf(tool);
    const std::string text = TextAt(tool.get_object(), "description");
    EXPECT_LE(text.size(), 80u) << text;
    EXPECT_TRUE(text.ends_with('.')) << text;
    for (const json::value& name :
         schema.contains("required") ? schema.at("required").get_array() : json::array()) {
      EXPECT_TRUE(Properties(tool).contains(name.get_string())) << NameOf(tool);
    }
  }
}

TEST(CatalogTest, GroupsThatDoNotExistAreRefused) {
  EXPECT_EQ(ParseGroups("audit,contract")->size(), 3u);
  EXPECT_EQ(ParseGroups("all")->size(), 5u);
  const auto refused = ParseGroups("audit,vision");
  ASSERT_FALSE(refused);
  EXPECT_TRUE(refused.error().message().contains("\"vision\"; there are core, contract, audit"))
      << refused.error().message();
}

CO_TEST(CatalogTest, WhatCannotBeOpenedIsATypedAnswerOfEveryTool) {
  CatalogBench bench;
  for (const json::value& tool : bench.tools.ToJson()) {
    json::object arguments = RequiredOnly(tool);
    if (NameOf(tool) == "browser_wait_for") arguments["text"] = "Hello";
    const ToolAnswer answer = co_await Run(&bench, ctx, NameOf(tool), std::move(arguments));
    EXPECT_TRUE(answer.is_error) << NameOf(tool);
    EXPECT_TRUE(answer.text.starts_with("error IO_ERROR: the disk is gone\nretry: yes"))
        << NameOf(tool) << ": " << answer.text;
  }
}

CO_TEST(CatalogTest, EveryArgumentThatIsListedIsRead) {
  CatalogBench bench;
  for (const json::value& tool : bench.tools.ToJson()) {
    for (const auto& [key, schema] : Properties(tool)) {
      json::object arguments = RequiredOnly(tool);
      arguments[key] = Sample(schema.get_object());
      const ToolAnswer answer = co_await Run(&bench, ctx, NameOf(tool), std::move(arguments));
      EXPECT_FALSE(answer.text.contains("unknown field")) << NameOf(tool) << ": " << answer.text;
    }
  }
}

CO_TEST(CatalogTest, ArgumentsNobodyKnowsAreRefusedByName) {
  CatalogBench bench;
  for (const json::value& tool : bench.tools.ToJson()) {
    json::object arguments = RequiredOnly(tool);
    if (NameOf(tool) == "browser_wait_for") arguments["text"] = "Hello";
    arguments["surprise"] = 1;
    const ToolAnswer answer = co_await Run(&bench, ctx, NameOf(tool), std::move(arguments));
    EXPECT_TRUE(answer.text.starts_with("error INVALID_ARGUMENT: surprise: unknown field"))
        << NameOf(tool) << ": " << answer.text;
  }
}

CO_TEST(CatalogTest, ArgumentsOfAnotherTypeAreRefusedByName) {
  CatalogBench bench;
  for (const json::value& tool : bench.tools.ToJson()) {
    for (const auto& [key, schema] : Properties(tool)) {
      json::object arguments = RequiredOnly(tool);
      arguments[key].emplace_array().emplace_back(json::array());
      const ToolAnswer answer = co_await Run(&bench, ctx, NameOf(tool), std::move(arguments));
      const std::string name(key);
      EXPECT_TRUE(answer.text.starts_with("error INVALID_ARGUMENT: " + name))
          << NameOf(tool) << ": " << answer.text;
    }
  }
}

Task<CalledTool> CallThrough(CatalogBench* bench, CallContext ctx, std::string name,
                             json::object arguments) {
  ToolCall call{.arguments = std::move(arguments), .report = [](const std::string&) {}};
  co_return co_await bench->tools.Call(std::move(ctx), bench->tools.Find(name), std::move(call));
}

TEST(CatalogTest, EveryToolSaysOnWhichTermsItIsCalled) {
  CatalogBench bench;
  for (const Tool& tool : bench.tools.tools()) {
    const agent::ToolDescriptor& info = tool.info;
    EXPECT_TRUE(agent::CheckDescriptor(info)) << info.name;
    EXPECT_GE(info.timeout, std::chrono::seconds(30)) << info.name;
    if (!info.capability.empty())
      EXPECT_TRUE(ValueIn(model::kCapabilities, info.capability)) << info.name;
    if (info.effect != agent::SideEffect::kRead) EXPECT_EQ(info.retry.retries, 0) << info.name;
  }
  const auto terms = [&bench](std::string_view name) {
    json::object told = bench.tools.Find(name)->info.ToJson();
    return json::serialize(json::array{told["side_effect_class"], told["timeout_ms"],
                                       told["retry_profile"].at("retries"), told["capability"]});
  };
  EXPECT_EQ(terms("browser_snapshot"), R"(["read",30000,1,"READ"])");
  EXPECT_EQ(terms("browser_click"), R"(["write",40000,0,"INTERACT"])");
  EXPECT_EQ(terms("browser_close"), R"(["write",40000,0,""])");
  EXPECT_EQ(terms("browser_evaluate"), R"(["write",40000,0,"SCRIPT"])");
}

CO_TEST(CatalogTest, WhatEveryToolOffersAndTakesPassesTheCheck) {
  CatalogBench bench;
  for (const Tool& tool : bench.tools.tools()) {
    const json::object listed = tool.ToJson();
    for (const auto& [key, schema] : tool.info.input_schema.at("properties").get_object()) {
      json::object arguments = RequiredOnly(listed);
      arguments[key] = Sample(schema.get_object());
      const auto checked = agent::CheckArguments(tool.info.checked_schema(), arguments);
      EXPECT_TRUE(checked) << tool.info.name << ": " << checked.error().message();
    }
  }
  const std::pair<std::string_view, json::object> older[] = {
      {"browser_click", {{"ref", "d1e1"}, {"element", "Save"}}},
      {"browser_click", {{"selector", "#save"}, {"button", nullptr}}},
      {"browser_type", {{"target", "#a"}, {"text", 42}}},
      {"browser_drag", {{"startRef", "d1e1"}, {"endRef", "d1e2"}, {"startElement", "a"}}},
      {"browser_fill_form",
       {{"fields", {{{"ref", "d1e1"}, {"name", "agree"}, {"type", "checkbox"}, {"value", true}}}}}},
  };
  for (const auto& [name, arguments] : older) {
    const auto called = co_await CallThrough(&bench, ctx, std::string(name), arguments);
    EXPECT_EQ(called.result.failure->error.code(), ErrorCode::kIoError)
        << name << ": " << called.answer.text;
  }
}

CO_TEST(CatalogTest, ACallIsRefusedByTheSameWordsForWhomeverItIs) {
  CatalogBench bench;

  const auto called =
      co_await CallThrough(&bench, ctx, "browser_click", {{"target", "#save"}, {"buton", "left"}});

  EXPECT_TRUE(called.answer.is_error);
  EXPECT_EQ(called.answer.text, called.result.text);
  EXPECT_TRUE(called.answer.text.starts_with("error VALIDATION_ERROR: buton: unknown argument"))
      << called.answer.text;
  EXPECT_TRUE(called.answer.text.contains("did you mean \"button\"?")) << called.answer.text;
  EXPECT_EQ(called.result.error_code(), "validation_error");
  EXPECT_TRUE(called.answer.ToJson().at("isError").as_bool());
}

CO_TEST(CatalogTest, AFailureIsTypedForWhomeverItIs) {
  CatalogBench bench;

  const auto called =
      co_await CallThrough(&bench, ctx, "browser_navigate", {{"url", "example.com"}});

  EXPECT_TRUE(called.answer.failure);
  EXPECT_EQ(called.result.error_code(), "execution_error");
  EXPECT_EQ(called.result.failure->error.message(), "the disk is gone");
  EXPECT_TRUE(called.result.failure->is_retriable);
  EXPECT_EQ(called.result.tries, 1) << "what acts is not tried again";
  EXPECT_EQ(called.result.step_id, "s1");
}

TEST(CatalogTest, EveryActionIsAContractOfItsOwn) {
  BrokenHost host;
  ToolContext context(host, "9");
  const ActionWish wish{.session = "main",
                        .spec = {{"action_type", "click"}, {"target_eid", "d1e1"}},
                        .intent = "save"};

  const auto first = model::ActionContract::FromJson(context.ContractOf(wish));
  const auto second = model::ActionContract::FromJson(context.ContractOf(wish));

  ASSERT_TRUE(first && second) << (first ? "" : first.error().message());
  EXPECT_NE(first->Identify()->digest, second->Identify()->digest);
  EXPECT_EQ(first->workflow_id.value(), "main@" + context.run());
  EXPECT_EQ(first->run_id.value(), context.run());
  EXPECT_EQ(second->step_index, 1);
  EXPECT_EQ(first->intent, "save");
}

TEST(CatalogTest, ANamedSessionIsAWorkflowThatOthersMayNameToo) {
  BrokenHost host;
  ToolContext one(host, "9");
  ToolContext two(host, "9");

  EXPECT_EQ(one.WorkflowOf("orders"), two.WorkflowOf("orders"));
  EXPECT_NE(one.WorkflowOf("main"), two.WorkflowOf("main"));
}

TEST(CatalogTest, AnAddressWithoutASchemeGetsOne) {
  EXPECT_EQ(CompleteUrl("example.com/a"), "https://example.com/a");
  EXPECT_EQ(CompleteUrl("example.com:8080"), "https://example.com:8080");
  EXPECT_EQ(CompleteUrl("localhost:3000/x"), "http://localhost:3000/x");
  EXPECT_EQ(CompleteUrl("127.0.0.1/x"), "http://127.0.0.1/x");
  EXPECT_EQ(CompleteUrl("http://example.com"), "http://example.com");
  EXPECT_EQ(CompleteUrl("about:blank"), "about:blank");
  EXPECT_EQ(CompleteUrl("example.com/?u=a:b"), "https://example.com/?u=a:b");
}

}  // namespace
}  // namespace falconer::api
