#include "ledger/reader.h"

#include "ledger/export.h"
#include "ledger/inclusion_proof.h"
#include "ledger/signed_json.h"
#include "tests/support/test_chain.h"

namespace falconer::ledger {
namespace {

class ReaderTest : public testing::Test {
 protected:
  ReaderTest() {
    chain_.options.segment_bytes = 1000;
    chain_.Fill(30);
  }

  ChainReader Reader() const { return ChainReader::Open(chain_.Paths().folder).value(); }
  static std::vector<std::uint64_t> Seqs(const RecordPage& page) {
    std::vector<std::uint64_t> out;
    for (const StoredRecord& record : page.records) out.push_back(record.view().fields.seq);
    return out;
  }

  test::TestChain chain_;
};

TEST_F(ReaderTest, FindsEveryRecordByItsNumber) {
  ChainReader reader = Reader();
  EXPECT_EQ(reader.first_seq(), 1U);
  EXPECT_EQ(reader.LastSeq(), 30U);
  for (const std::uint64_t seq : {30U, 1U, 17U, 2U, 29U}) {
    EXPECT_EQ(reader.At(seq)->view().fields.payload, test::TestChain::Record(seq).payload);
    EXPECT_EQ(reader.At(seq)->view().hash, reader.HashOf(seq));
  }
  EXPECT_EQ(reader.At(0).error().code(), ErrorCode::kNotFound);
  EXPECT_EQ(reader.At(31).error().code(), ErrorCode::kNotFound);
}

TEST_F(ReaderTest, DoesNotNeedTheIndexNorBelieveIt) {
  for (const SegmentFile& segment : ListSegments(chain_.Paths().folder).value()) {
    const auto index = IndexOf(segment.path);
    const std::string good = ReadFile(index).value();
    for (const std::string& bad :
         {std::string(), good.substr(0, good.size() - 7), std::string(good.size(), 'x'),
          good.substr(0, 8) + std::string(40, '\1') + good.substr(8)}) {
      ASSERT_TRUE(WriteFileAtomic(index, bad));
      const auto record = Reader().At(segment.first_seq);
      ASSERT_TRUE(record) << record.error().message();
      EXPECT_EQ(record->view().fields.seq, segment.first_seq);
    }
    std::filesystem::remove(index);
  }
  EXPECT_EQ(Reader().Query({}, 1, 100)->records.size(), 30U);
}

TEST_F(ReaderTest, RefusesToHandOutAChangedRecord) {
  std::string content = ReadFile(chain_.Paths().segment(1)).value();
  content[content.find("turn_2")] = 'T';
  ASSERT_TRUE(WriteFileAtomic(chain_.Paths().segment(1), content));

  EXPECT_TRUE(Reader().At(1));
  EXPECT_EQ(Reader().At(2).error().code(), ErrorCode::kLedgerDamaged);
}

TEST_F(ReaderTest, AnswersInPages) {
  ChainReader reader = Reader();
  RecordFilter filter;
  filter.workflow = "even";
  std::vector<std::uint64_t> all;
  std::uint64_t from = 1;
  int pages = 0;
  do {
    const auto page = reader.Query(filter, from, 4);
    ASSERT_TRUE(page);
    EXPECT_LE(page->records.size(), 4U);
    for (const std::uint64_t seq : Seqs(*page)) all.push_back(seq);
    from = page->next;
    ++pages;
  } while (from != 0);

  EXPECT_EQ(pages, 4);
  EXPECT_EQ(all.size(), 15U);
  EXPECT_EQ(all.front(), 2U);
  EXPECT_EQ(all.back(), 30U);
}

TEST_F(ReaderTest, FiltersByEveryField) {
  ChainReader reader = Reader();
  RecordFilter filter;
  filter.agent = "agent_1";
  filter.workflow = "odd";
  EXPECT_EQ(Seqs(*reader.Query(filter, 1, 3)), (std::vector<std::uint64_t>{1, 7, 13}));
  filter = {};
  filter.action = "act_3";
  EXPECT_EQ(Seqs(*reader.Query(filter, 1, 9)), (std::vector<std::uint64_t>{3, 30}));
  filter = {};
  filter.kind = RecordKind::kRefusal;
  EXPECT_TRUE(reader.Query(filter, 1, 9)->records.empty());
  for (const auto wanted : {&RecordFilter::session, &RecordFilter::plan, &RecordFilter::run}) {
    filter = {};
    filter.*wanted = "nobody";
    EXPECT_TRUE(reader.Query(filter, 1, 9)->records.empty());
  }
  const std::int64_t now = reader.At(1)->view().fields.wall_ms;
  filter = {};
  filter.start_ms = now;
  filter.end_ms = now + 1;
  EXPECT_EQ(reader.Query(filter, 1, 99)->records.size(), 30U);
  filter.start_ms = now + 1;
  EXPECT_TRUE(reader.Query(filter, 1, 99)->records.empty());
}

TEST_F(ReaderTest, ProvesEveryRecordAgainstTheSignedRoot) {
  const std::vector<PublicKey> keys{chain_.key.public_key()};
  for (std::uint64_t seq = 1; seq <= 30; ++seq) {
    const auto proof = ProveRecord(chain_.Paths().folder, "", seq, keys);
    ASSERT_TRUE(proof) << proof.error().message();
    EXPECT_TRUE(IsIncluded(Hasher().Leaf(ReadRecord(proof->record)->hashed()), seq - 1, 30,
                           proof->path, proof->checkpoint.root));
  }
  EXPECT_EQ(ProveRecord(chain_.Paths().folder, "", 31, keys).error().code(), ErrorCode::kNotFound);
}

TEST_F(ReaderTest, TheIndependentVerifierAcceptsAProofAndRefusesItChanged) {
  const std::vector<PublicKey> keys{chain_.key.public_key()};
  const auto path = chain_.folder.path() / "proof.json";
  const auto tool = std::filesystem::path(__FILE__).parent_path() / "../../tools/verify_ledger.py";
  const std::string command = "python3 " + tool.string() + " proof " + path.string() + " --key " +
                              chain_.KeyPath().string() + " > /dev/null";
  const json::object good = ProveRecord(chain_.Paths().folder, "", 11, keys).value().ToJson();
  const auto verdict = [&](const json::object& proof) {
    EXPECT_TRUE(WriteFileAtomic(path, json::serialize(proof)));
    return std::system(command.c_str());
  };

  EXPECT_EQ(verdict(good), 0);
  json::object changed = good;
  changed["proof"].as_array().pop_back();
  EXPECT_NE(verdict(changed), 0);
  changed = ProveRecord(chain_.Paths().folder, "", 12, keys).value().ToJson();
  changed["proof"] = good.at("proof");
  EXPECT_NE(verdict(changed), 0);
  changed = good;
  std::string record(good.at("record").as_string());
  record[130] = record[130] == '0' ? '1' : '0';
  changed["record"] = record;
  EXPECT_NE(verdict(changed), 0);
}

TEST_F(ReaderTest, ExportsWithSignedMetadata) {
  const auto output = chain_.folder.path() / "out.json";
  RecordFilter filter;
  filter.workflow = "odd";
  const ExportInput input{
      .chain = {.folder = chain_.Paths().folder, .keys = {chain_.key.public_key()}},
      .filter = filter,
      .output = output};

  const auto metadata = ExportRecords(input, chain_.key, chain_.clock.WallNow());

  ASSERT_TRUE(metadata) << metadata.error().message();
  EXPECT_EQ(metadata->at("count"), 15);
  EXPECT_EQ(metadata->at("chainValid"), true);
  const std::string text = ReadFile(output).value();
  EXPECT_EQ(metadata->at("sha256").as_string(), Sha256Hex(text));
  EXPECT_EQ(std::ranges::count(text, '\n'), 15);
  const auto first = ParseJsonObject(text.substr(0, text.find('\n')));
  EXPECT_EQ(first->at("payload").at("turn_id").as_string(), "turn_1");
  const std::string meta = ReadFile(output.string() + ".meta.json").value();
  const std::vector<PublicKey> keys{chain_.key.public_key()};
  EXPECT_TRUE(ParseSignedJson(meta, keys));
}

TEST_F(ReaderTest, ExportsCsvThatASpreadsheetDoesNotRun) {
  {
    const auto writer = chain_.Writer();
    ASSERT_TRUE(chain_.Run(writer->Append(
        {RecordKind::kDecision, R"-({"agent":"=HYPERLINK(\"x\")","workflow":"a,\"b\""})-"})));
  }
  const auto output = chain_.folder.path() / "out.csv";
  const ExportInput input{
      .chain = {.folder = chain_.Paths().folder, .keys = {chain_.key.public_key()}},
      .format = ExportFormat::kCsv,
      .output = output};
  ASSERT_TRUE(ExportRecords(input, chain_.key, chain_.clock.WallNow()));

  const std::string text = ReadFile(output).value();
  EXPECT_TRUE(text.starts_with("seq,time_ms,kind,hash,turn_id,"));
  EXPECT_TRUE(text.contains(R"-("'=HYPERLINK(""x"")")-")) << text.substr(text.size() - 300);
  EXPECT_TRUE(text.contains(R"-("a,""b""")-"));
}

}  // namespace
}  // namespace falconer::ledger
