#include "policy/injection/injection_lexicon.h"

#include <algorithm>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "policy/injection/text_folding.h"

namespace falconer::policy {
namespace {

struct LexiconRow {
  Cue meaning;
  // Words with spaces between them.
  std::u32string_view words;
};

// By language: English; German; French; Spanish; Portuguese; Italian; Russian; Chinese; Japanese.
// Without accents, as folding leaves them.
constexpr LexiconRow kLexicon[] = {
    {Cue::kIgnore,
     U"ignore ignoring disregard disregarding forget override overrule bypass "
     U"ignoriere ignorieren ignoriert vergiss vergesst vergessen missachte missachten "
     U"uberschreibe uberschreiben umgehe "
     U"ignorez ignorer oublie oubliez oublier contourne contournez "
     U"ignora ignorar ignoren olvida olvide olviden olvidate omite omita descarta "
     U"ignorem esqueca esquece esquecer desconsidere desconsidera "
     U"ignorate ignorare dimentica dimenticate dimenticare trascura "
     U"игнорируй игнорируйте игнорировать проигнорируй проигнорируйте забудь забудьте отмени "
     U"忽略 忽視 忽视 无视 無視 忘记 忘記 忘掉 不要理会 不用理会 忘れ 無視して 無視せよ"},
    {Cue::kPrevious,
     U"previous prior above earlier preceding foregoing existing all any every "
     U"vorherigen vorherige vorigen bisherigen bisherige obigen obige fruheren vorangegangenen "
     U"vorhergehenden alle allen "
     U"precedente precedentes precedents anterieures anterieurs toutes tous dessus "
     U"anterior anteriores previas previos previa todas todos "
     U"previamente acima precedenti precedente tutte tutti sopra "
     U"предыдущие предыдущих предыдущую прежние прежних прошлые вышеуказанные все всех выше "
     U"之前 以前 先前 前面 以上 上述 上面 所有 全部 一切 これまで 今まで 上記 前の すべて 全て"},
    {Cue::kInstruction,
     U"instruction instructions prompt prompts directive directives guideline guidelines rules "
     U"command commands orders constraints programming "
     U"anweisung anweisungen instruktion instruktionen regeln vorgaben befehle befehlen "
     U"richtlinien "
     U"consigne consignes regles ordres "
     U"instruccion instrucciones reglas ordenes indicaciones directrices "
     U"instrucao instrucoes regras ordens diretrizes comandos "
     U"istruzione istruzioni regole direttive comandi ordini "
     U"инструкция инструкции инструкций инструкцию указания указаний правила правил команды промпт "
     U"指令 指示 提示 提示词 规则 規則 命令 说明 要求 ルール プロンプト 指図"},
    {Cue::kModel,
     U"ai llm llms assistant chatbot chatbots gpt chatgpt claude gemini copilot bot agent agents "
     U"ki sprachmodell assistent assistenten ia assistants assistante "
     U"asistente asistentes assistente assistenti modello modele modelo "
     U"ии ассистент ассистенту помощник помощнику нейросеть модель "
     U"人工智能 助手 助理 模型 机器人 智能体 アシスタント エージェント モデル"},
    {Cue::kReveal,
     U"reveal revealing print output show display repeat leak disclose expose dump recite "
     U"zeige zeig verrate nenne offenbare wiederhole ausgeben "
     U"revele revelez affiche affichez montre montrez repete repetez divulgue "
     U"revela muestra muestre mostrar repite imprime divulga "
     U"revelar mostre mostra repita exiba "
     U"rivela rivelate mostrami ripeti stampa divulga "
     U"раскрой раскройте покажи покажите выведи выведите повтори повторите "
     U"显示 顯示 透露 输出 輸出 重复 打印 泄露 告诉我 表示 出力 教えて 開示 公開 繰り返"},
    {Cue::kSystem,
     U"system initial hidden original internal developer secret confidential "
     U"systemprompt systemnachricht ursprunglichen geheimen internen systemanweisung "
     U"systemanweisungen "
     U"systeme initiales initial cachees internes "
     U"sistema iniciales ocultas internas originales iniciais originais "
     U"iniziali nascoste interne "
     U"системный системную системные системных системного скрытые исходные начальные "
     U"系统 系統 初始 隐藏 内部 原始 システム 初期 内部の 隠された"},
    {Cue::kSend,
     U"send post upload forward exfiltrate transmit submit email deliver leak append "
     U"sende senden schicke schicken ubermittle ubertrage leite "
     U"envoie envoyez envoyer transmets transmettez "
     U"envia envie enviar manda mande transmite "
     U"encaminhe invia inviate inviare inoltra trasmetti "
     U"отправь отправьте отправить перешли перешлите передай загрузи "
     U"发送 發送 上传 上傳 传送 转发 提交 寄到 送信 送って アップロード 転送"},
    {Cue::kSecret,
     U"password passwords credential credentials cookie cookies token tokens apikey secrets "
     U"conversation history inbox emails contacts passphrase localstorage clipboard "
     U"passwort passworter zugangsdaten anmeldedaten kennwort verlauf "
     U"passe identifiants mots historique "
     U"contrasena contrasenas credenciales historial clave claves "
     U"senha senhas credenciais historico "
     U"credenziali cronologia "
     U"пароль пароли паролей пароля учетные токен историю переписку "
     U"密码 密碼 凭证 凭据 令牌 账号 聊天记录 对话 パスワード 認証情報 会話 履歴 トークン"},
    {Cue::kNot,
     U"not dont never without "
     U"nicht niemals ohne kein keine "
     U"pas jamais sans "
     U"no nunca sin nao sem non mai senza "
     U"не никогда без "
     U"不要 不得 切勿 别 不能 禁止 ないで しないで せずに するな"},
    {Cue::kTell,
     U"tell telling mention mentioning inform informing notify notifying alert asking "
     U"sage sagen erwahne erwahnen informiere informieren mitteilen "
     U"dis dites dire mentionne mentionnez informe informez informer "
     U"digas diga decir menciones mencione informar informes avise "
     U"dizer diga mencionar dire menzionare informare avvisare "
     U"говори говорите сообщай сообщайте упоминай упоминайте рассказывай "
     U"告诉 告知 提及 通知 提到 伝え 知らせ 言わ 通知し"},
    {Cue::kUser,
     U"user users human humans operator owner "
     U"nutzer benutzer anwender menschen nutzern benutzern "
     U"utilisateur utilisateurs usuario usuarios usuaria "
     U"utente utenti utilizador "
     U"пользователь пользователю пользователя человеку "
     U"用户 用戶 使用者 人类 ユーザー ユーザ 利用者"},
    {Cue::kNew,
     U"new updated real actual following revised "
     U"neue neuen neues nouvelle nouvelles nouveau nueva nuevas nuevo nova novas novo "
     U"nuova nuove nuovi новые новых новая новую 新 新的 新しい 新たな"},
    {Cue::kYour,
     U"your yours deine deinen deiner deinem ihre ihren ihrer votre vos ton ta tes "
     U"tu tus su sus seu sua seus suas tuo tua tue tuoi vostre "
     U"твой твои твоих твою ваш ваши ваших вашу свой свои своих 你的 您的 あなたの"},
    {Cue::kYou, U"you du sie tu vous usted voce ты вы 你 您 あなた"},
    {Cue::kAre, U"are bist sind es etes eres e sei siete 是 です"},
    {Cue::kNow,
     U"now jetzt nun maintenant desormais ahora agora adesso ora теперь сейчас 现在 現在 从现在 "
     U"今から これから"},
    {Cue::kAnswer,
     U"response answer reply output summary responses answers replies "
     U"antwort antworten ausgabe zusammenfassung reponse reponses resume "
     U"respuesta respuestas resumen resposta respostas resumo risposta risposte riassunto "
     U"ответ ответе ответы ответа 回答 回复 答复 回覆 回答に 返信 応答"},
    {Cue::kShape,
     U"add include insert append modify integrate replace remove introduce misspell rearrange "
     U"anagram substitute group provide use suggest end begin start mention "
     U"fuge ersetze erwahne beende beginne andere ajoute ajoutez remplace insere inserez "
     U"anade agrega incluye reemplaza inserta adicione inclua substitua insira "
     U"aggiungi includi sostituisci inserisci добавь добавьте замени вставь включи "
     U"添加 加入 插入 替换 追加 含め 置き換え"},
    {Cue::kUnbound,
     U"unrestricted jailbroken jailbreak dan uncensored unfiltered godmode "
     U"uneingeschrankt unzensiert illimite irrestrito "
     U"неограниченный 不受限制 无限制 越狱 制限なし 無制限"},
    {Cue::kFollow,
     U"follow obey execute comply perform "
     U"befolge befolgen fuhre folge suis suivez execute executez "
     U"sigue siga ejecuta ejecute obedece siga execute obedeca "
     U"segui seguite esegui следуй следуйте выполни выполните выполняй "
     U"执行 遵循 遵守 按照 実行 従って 従い"},
    {Cue::kBelow,
     U"following below these instead this folgenden folgende stattdessen diese "
     U"suivantes suivants ci siguientes estas seguintes seguenti queste "
     U"следующие эти вместо 以下 下面 这些 次の 代わりに"},
    {Cue::kFor, U"for to attention dear fur an pour a para per для 致 给 注意 へ"},
    {Cue::kIf, U"if wenn falls si se если 如果 若 もし"},
    {Cue::kTalk,
     U"attack attacks attacker attackers malicious injection injections vulnerability researchers "
     U"researcher example examples such called known phrase phrases technique techniques "
     U"defense defend mitigate detect detection adversarial jailbreaks payload payloads owasp "
     U"angriff angriffe angreifer beispiel beispiele attaque attaques attaquant exemple exemples "
     U"ataque ataques atacante ejemplo ejemplos exemplo exemplos attacco attacchi esempio esempi "
     U"атака атаки злоумышленник пример примеры 攻击 攻擊 例如 示例 漏洞 研究 攻撃 例えば 脆弱性"},
    {Cue::kPolite,
     U"in please important urgent note attention now hey ok so then also instead you must should "
     U"bitte wichtig achtung jetzt important veuillez merci por favor importante atencion ahora "
     U"atencao agora per favore attenzione adesso пожалуйста важно внимание теперь 请 請 注意 重要 "
     U"现在"},
    {Cue::kDestination, U"http https www @ url webhook endpoint"},
};

// Looks words up without a copy of them.
struct WordHash {
  using is_transparent = void;  // NOLINT(readability-identifier-naming): the library's name
  std::size_t operator()(std::u32string_view word) const {
    return std::hash<std::u32string_view>()(word);
  }
};

using EntryMap = std::unordered_map<std::u32string, Meanings, WordHash, std::equal_to<>>;

// Built once, at first use.
class Lexicon {
 public:
  static const Lexicon& Get() {
    static const Lexicon one;
    return one;
  }
  Meanings Find(std::u32string_view word) const {
    const auto it = entries_.find(word);
    return it == entries_.end() ? 0 : it->second;
  }
  std::size_t longest() const { return longest_; }

 private:
  Lexicon() {
    for (const LexiconRow& row : kLexicon) AddRow(row);
  }
  void AddRow(const LexiconRow& row) {
    std::u32string_view rest = row.words;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(U' '), rest.size());
      const std::u32string word(rest.substr(0, end));
      if (!word.empty()) entries_[word] |= BitOf(row.meaning);
      longest_ = std::max(longest_, word.size());
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  EntryMap entries_;
  std::size_t longest_ = 0;
};

bool HasDigit(std::u32string_view word) {
  return std::ranges::any_of(word, [](char32_t c) { return c >= '0' && c <= '9'; });
}

constexpr std::size_t kShortestInRun = 3;

}  // namespace

Meanings MeaningsOf(std::u32string_view word) {
  const Lexicon& lexicon = Lexicon::Get();
  if (word.size() > lexicon.longest()) return 0;
  const Meanings found = lexicon.Find(word);
  if (found != 0 || !HasDigit(word)) return found;
  return lexicon.Find(WithoutLeet(word));
}

std::size_t EntryAt(std::u32string_view text, Meanings& meanings) {
  const Lexicon& lexicon = Lexicon::Get();
  const bool has_spaces = !IsIdeograph(text.front());
  const std::size_t least = has_spaces ? kShortestInRun : 1;
  for (std::size_t size = std::min(lexicon.longest(), text.size()); size >= least; --size) {
    meanings = lexicon.Find(text.substr(0, size));
    if (meanings != 0) return size;
  }
  meanings = 0;
  return 0;
}

}  // namespace falconer::policy
