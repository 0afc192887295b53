#include "policy/risk/risk_words.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace falconer::policy {
namespace {

using M = Meaning;

// clang-format off
constexpr RiskWordsRow kRiskWords[] = {
    {M::kPurchase, "en", "buy,buy now,purchase,pay,pay now,place order,place your order,order now,submit order,confirm order,complete order,complete purchase,confirm purchase,confirm payment,donate,place bid,bid now,book now,reserve and pay,rent now,top up,one click,start subscription,buyout"},
    {M::kPurchase, "de", "kaufen,jetzt kaufen,zahlungspflichtig,bestellen,jetzt bestellen,bestellung abschicken,kauf abschliessen,bezahlen,zahlen,kostenpflichtig,buchen,jetzt buchen,spenden,bieten"},
    {M::kPurchase, "fr", "acheter,payer,commander,passer commande,valider la commande,valider ma commande,regler,reserver et payer,faire un don,encherir"},
    {M::kPurchase, "es", "comprar,pagar,realizar pedido,hacer pedido,confirmar pedido,finalizar compra,tramitar pedido,donar,pujar"},
    {M::kPurchase, "pt", "comprar,pagar,fazer pedido,finalizar pedido,finalizar compra,encomendar,doar"},
    {M::kPurchase, "it", "acquista,acquistare,compra,comprare,paga,pagare,ordina,invia ordine,conferma ordine,dona"},
    {M::kPurchase, "nl", "kopen,koop,koop nu,nu kopen,betalen,bestelling plaatsen,bestel,bestel nu,afrekenen en betalen,doneren"},
    {M::kPurchase, "ja", "購入,今すぐ買う,買う,注文を確定,注文する,支払う,決済,寄付"},
    {M::kPurchase, "zh", "购买,立即购买,支付,付款,下单,提交订单,确认付款,確認付款,捐款,購買"},
    {M::kCheckout, "en", "checkout,check out,proceed to checkout,go to checkout,payment,payments,charge,charges"},
    {M::kCheckout, "de", "zur kasse,kasse,zahlung"},
    {M::kCheckout, "fr", "passer a la caisse,caisse,paiement,achat"},
    {M::kCheckout, "es", "tramitar,ir a la caja,proceder al pago,pago,compra"},
    {M::kCheckout, "pt", "finalizar,fechar pedido,pagamento,compra"},
    {M::kCheckout, "it", "procedi all ordine,vai alla cassa,cassa,pagamento"},
    {M::kCheckout, "nl", "afrekenen,naar de kassa,betaling"},
    {M::kCheckout, "ja", "レジに進む,ご購入手続き,支払い,お支払い"},
    {M::kCheckout, "zh", "结算,去结算,結帳"},
    {M::kTransfer, "en", "transfer,transfers,wire,send money,withdraw,withdrawal,withdrawals,payout,payouts,cash out,refund"},
    {M::kTransfer, "de", "uberweisen,ueberweisen,uberweisung,geld senden,auszahlen,auszahlung"},
    {M::kTransfer, "fr", "virer,virement,envoyer de l argent,retirer de l argent,transferer"},
    {M::kTransfer, "es", "transferir,transferencia,enviar dinero,retirar dinero"},
    {M::kTransfer, "pt", "transferir,transferencia,enviar dinheiro,sacar,pix"},
    {M::kTransfer, "it", "trasferisci,trasferire,bonifico,invia denaro,preleva"},
    {M::kTransfer, "nl", "overboeken,overboeking,overmaken,geld versturen"},
    {M::kTransfer, "ja", "送金,振込,振り込む,出金"},
    {M::kTransfer, "zh", "转账,轉帳,汇款,匯款,提现,提現"},
    {M::kDelete, "en", "delete,deletes,destroy,erase,purge,wipe,permanently remove,close account,deactivate,deactivate account,terminate,factory reset,empty trash,drop table"},
    {M::kDelete, "de", "loschen,loesche,loesch,loeschen,losche,endgultig loschen,vernichten,konto schliessen,deaktivieren,papierkorb leeren"},
    {M::kDelete, "fr", "supprimer,suppression,effacer,detruire,desactiver,cloturer le compte,vider la corbeille"},
    {M::kDelete, "es", "eliminar,borrar,suprimir,destruir,desactivar,cerrar cuenta,vaciar papelera"},
    {M::kDelete, "pt", "excluir,eliminar,apagar,deletar,desativar,encerrar conta,esvaziar lixeira"},
    {M::kDelete, "it", "elimina,eliminare,cancella,cancellare,distruggi,disattiva,chiudi account,svuota cestino"},
    {M::kDelete, "nl", "verwijderen,verwijder,wissen,wis,vernietigen,deactiveren,account sluiten,prullenbak legen"},
    {M::kDelete, "ja", "削除,消去,退会,アカウントを閉鎖,ゴミ箱を空に"},
    {M::kDelete, "zh", "删除,刪除,清除数据,注销账号,註銷,清空回收站,销毁"},
    {M::kRemove, "en", "remove,removes,discard,clear all,unlink,detach,move to trash"},
    {M::kRemove, "de", "entfernen,verwerfen"},
    {M::kRemove, "fr", "retirer,enlever"},
    {M::kRemove, "es", "quitar,descartar"},
    {M::kRemove, "pt", "remover,descartar"},
    {M::kRemove, "it", "rimuovi,rimuovere,scarta"},
    {M::kRemove, "nl", "weghalen"},
    {M::kRemove, "ja", "取り除く,外す,破棄"},
    {M::kRemove, "zh", "移除,丢弃"},
    {M::kCancel, "en", "cancel order,cancel subscription,cancel booking,cancel reservation,cancel membership,cancel plan,end membership,cancel my,unsubscribe"},
    {M::kCancel, "de", "bestellung stornieren,stornieren,kundigen,abo kundigen,abbestellen,vertrag kundigen"},
    {M::kCancel, "fr", "annuler la commande,resilier,se desabonner,annuler ma reservation"},
    {M::kCancel, "es", "cancelar pedido,cancelar suscripcion,cancelar reserva,darse de baja"},
    {M::kCancel, "pt", "cancelar pedido,cancelar assinatura,cancelar reserva"},
    {M::kCancel, "it", "annulla ordine,disdici,annulla abbonamento,annulla prenotazione"},
    {M::kCancel, "nl", "bestelling annuleren,abonnement opzeggen,opzeggen,uitschrijven"},
    {M::kCancel, "ja", "注文をキャンセル,解約,予約をキャンセル,登録解除"},
    {M::kCancel, "zh", "取消订单,取消訂單,退订,取消订阅,解约"},
    {M::kSend, "en", "send,send message,reply,reply all,send email,forward"},
    {M::kSend, "de", "senden,absenden,abschicken,antworten,nachricht senden,weiterleiten"},
    {M::kSend, "fr", "envoyer,repondre,transferer le message"},
    {M::kSend, "es", "enviar,responder,reenviar"},
    {M::kSend, "pt", "enviar,responder,encaminhar"},
    {M::kSend, "it", "invia,inviare,rispondi,inoltra"},
    {M::kSend, "nl", "versturen,verzenden,verstuur,beantwoorden,doorsturen"},
    {M::kSend, "ja", "送信,返信,転送"},
    {M::kSend, "zh", "发送,發送,回复,回覆,转发"},
    {M::kPublish, "en", "publish,post,tweet,comment,post comment,share publicly,go live,merge,merge pull request,deploy,release"},
    {M::kPublish, "de", "veroffentlichen,posten,kommentieren,beitrag posten"},
    {M::kPublish, "fr", "publier,poster,commenter"},
    {M::kPublish, "es", "publicar,postear,comentar"},
    {M::kPublish, "pt", "publicar,postar,comentar"},
    {M::kPublish, "it", "pubblica,pubblicare,commenta"},
    {M::kPublish, "nl", "publiceren,plaatsen,plaats bericht,reageren"},
    {M::kPublish, "ja", "投稿,公開する,公開,コメントする"},
    {M::kPublish, "zh", "发布,發佈,发表,發表,评论"},
    {M::kSubmit, "en", "submit,apply,save,save changes,update,confirm,sign,i agree,register,create,approve,accept offer"},
    {M::kSubmit, "de", "einreichen,speichern,anderungen speichern,bestatigen,unterschreiben,beantragen,genehmigen"},
    {M::kSubmit, "fr", "soumettre,valider,enregistrer,confirmer,signer,approuver"},
    {M::kSubmit, "es", "guardar,confirmar,firmar,solicitar,aprobar"},
    {M::kSubmit, "pt", "submeter,salvar,guardar,confirmar,assinar,solicitar,aprovar"},
    {M::kSubmit, "it", "salva,conferma,firma,richiedi,approva"},
    {M::kSubmit, "nl", "indienen,opslaan,bevestigen,ondertekenen,aanvragen,goedkeuren"},
    {M::kSubmit, "ja", "提出,保存,確定,確認する,申し込む,承認"},
    {M::kSubmit, "zh", "提交,保存,确认,確認,申请,批准"},
    {M::kLogIn, "en", "log in,login,sign in,signin,sign on"},
    {M::kLogIn, "de", "anmelden,einloggen"},
    {M::kLogIn, "fr", "se connecter,connexion"},
    {M::kLogIn, "es", "iniciar sesion,entrar,acceder"},
    {M::kLogIn, "pt", "entrar,iniciar sessao,fazer login"},
    {M::kLogIn, "it", "accedi,accedere"},
    {M::kLogIn, "nl", "inloggen,aanmelden"},
    {M::kLogIn, "ja", "ログイン,サインイン"},
    {M::kLogIn, "zh", "登录,登入"},
    {M::kLogOut, "en", "log out,logout,logoff,log off,sign out,signout"},
    {M::kLogOut, "de", "abmelden,ausloggen"},
    {M::kLogOut, "fr", "se deconnecter,deconnexion"},
    {M::kLogOut, "es", "cerrar sesion"},
    {M::kLogOut, "pt", "sair,terminar sessao,encerrar sessao"},
    {M::kLogOut, "it", "esci,disconnetti"},
    {M::kLogOut, "nl", "uitloggen,afmelden"},
    {M::kLogOut, "ja", "ログアウト,サインアウト"},
    {M::kLogOut, "zh", "退出登录,登出,注销登录"},
    {M::kSignUp, "en", "sign up,signup,create account,create an account"},
    {M::kSignUp, "de", "registrieren,konto erstellen"},
    {M::kSignUp, "fr", "s inscrire,creer un compte"},
    {M::kSignUp, "es", "registrarse,crear cuenta"},
    {M::kSignUp, "pt", "cadastrar,criar conta,registar"},
    {M::kSignUp, "it", "registrati,iscriviti,crea account"},
    {M::kSignUp, "nl", "registreren,account aanmaken"},
    {M::kSignUp, "ja", "新規登録,会員登録"},
    {M::kSignUp, "zh", "注册,註冊"},
    {M::kCredential, "en", "password,passwd,api key,api keys,access token,two factor,2 fa,mfa,recovery codes,passkey,ssh key"},
    {M::kCredential, "de", "passwort,kennwort"},
    {M::kCredential, "fr", "mot de passe"},
    {M::kCredential, "es", "contrasena"},
    {M::kCredential, "pt", "senha,palavra passe"},
    {M::kCredential, "it", "password"},
    {M::kCredential, "nl", "wachtwoord"},
    {M::kCredential, "ja", "パスワード"},
    {M::kCredential, "zh", "密码,密碼"},
    {M::kAccount, "en", "account,accounts,settings,preferences,profile,billing"},
    {M::kAccount, "de", "konto,einstellungen"},
    {M::kAccount, "fr", "compte,parametres,preferences"},
    {M::kAccount, "es", "cuenta,ajustes,configuracion,preferencias"},
    {M::kAccount, "pt", "conta,configuracoes,definicoes,preferencias"},
    {M::kAccount, "it", "impostazioni,preferenze"},
    {M::kAccount, "nl", "instellingen,voorkeuren"},
    {M::kAccount, "ja", "アカウント,設定"},
    {M::kAccount, "zh", "账户,帳戶,账号,设置,設定"},
    {M::kAccess, "en", "grant access,grant,revoke,invite,invite user,make admin,permissions,permission,roles,transfer ownership,authorize,share,make public"},
    {M::kAccess, "de", "zugriff gewahren,einladen,berechtigungen,freigeben,teilen,autorisieren"},
    {M::kAccess, "fr", "inviter,autoriser,partager,autorisations"},
    {M::kAccess, "es", "invitar,autorizar,compartir,permisos"},
    {M::kAccess, "pt", "convidar,autorizar,compartilhar,partilhar,permissoes"},
    {M::kAccess, "it", "invita,autorizza,condividi,permessi"},
    {M::kAccess, "nl", "uitnodigen,autoriseren,delen,machtigingen"},
    {M::kAccess, "ja", "招待,許可する,共有,権限"},
    {M::kAccess, "zh", "邀请,授权,共享,权限"},
    {M::kSubscribe, "en", "subscribe,start trial,start free trial,upgrade,upgrade plan,renew"},
    {M::kSubscribe, "de", "abonnieren,abo abschliessen,upgraden,verlangern"},
    {M::kSubscribe, "fr", "s abonner,renouveler"},
    {M::kSubscribe, "es", "suscribirse,suscribir,renovar"},
    {M::kSubscribe, "pt", "assinar agora,renovar"},
    {M::kSubscribe, "it", "abbonati,rinnova"},
    {M::kSubscribe, "nl", "abonneren,verlengen"},
    {M::kSubscribe, "ja", "定期購読,更新する"},
    {M::kSubscribe, "zh", "订阅,訂閱,续费"},
    {M::kUpload, "en", "upload,uploads,attach file"},
    {M::kUpload, "de", "hochladen"},
    {M::kUpload, "fr", "televerser,telecharger un fichier"},
    {M::kUpload, "es", "subir archivo"},
    {M::kUpload, "pt", "carregar arquivo,enviar arquivo"},
    {M::kUpload, "it", "carica file"},
    {M::kUpload, "nl", "uploaden"},
    {M::kUpload, "ja", "アップロード"},
    {M::kUpload, "zh", "上传,上傳"},
    {M::kExport, "en", "export,export data,download all,download my data"},
    {M::kExport, "de", "exportieren"},
    {M::kExport, "fr", "exporter"},
    {M::kExport, "es", "exportar"},
    {M::kExport, "pt", "exportar"},
    {M::kExport, "it", "esporta"},
    {M::kExport, "nl", "exporteren"},
    {M::kExport, "ja", "エクスポート"},
    {M::kExport, "zh", "导出,匯出"},
    {M::kReading, "en", "search,find,filter,sort,sort by,order by,view,show,read,read more,learn more,details,preview,compare,how to,guide,help,faq,history,order history,order status,track order,next,previous,autocomplete,suggest,suggestions,lookup,query,list,validate,estimate,quote,refresh"},
    {M::kReading, "de", "suche,suchen,finden,filtern,sortieren,anzeigen,mehr erfahren,vergleichen,weiterlesen,bestellverlauf"},
    {M::kReading, "fr", "rechercher,recherche,filtrer,trier,voir,afficher,en savoir plus,comparer"},
    {M::kReading, "es", "buscar,filtrar,ordenar,ver,mostrar,comparar,leer mas"},
    {M::kReading, "pt", "buscar,pesquisar,filtrar,ordenar,ver,mostrar,comparar,ler mais"},
    {M::kReading, "it", "cerca,filtra,ordina per,vedi,mostra,confronta,scopri"},
    {M::kReading, "nl", "zoeken,zoek,filteren,sorteren,bekijken,tonen,vergelijken,meer lezen"},
    {M::kReading, "ja", "検索,絞り込み,並べ替え,表示,詳細,比較"},
    {M::kReading, "zh", "搜索,搜尋,筛选,排序,查看,显示,比较"},
    {M::kMinorThing, "en", "filter,filters,wish list,wishlist,favorites,favourites,cart,basket,bag,compare list,tag,selection,search,saved for later,bookmark,notification,cookies,queue,playlist"},
    {M::kMinorThing, "de", "filter,wunschliste,merkzettel,warenkorb,favoriten,auswahl"},
    {M::kMinorThing, "fr", "filtre,filtres,liste de souhaits,liste d envies,panier,favoris,selection"},
    {M::kMinorThing, "es", "filtro,filtros,lista de deseos,carrito,cesta,favoritos,seleccion"},
    {M::kMinorThing, "pt", "filtro,filtros,lista de desejos,carrinho,favoritos,selecao"},
    {M::kMinorThing, "it", "filtro,filtri,lista dei desideri,carrello,preferiti,selezione"},
    {M::kMinorThing, "nl", "filter,filters,verlanglijst,winkelwagen,favorieten,selectie"},
    {M::kMinorThing, "ja", "フィルター,ほしい物リスト,欲しいものリスト,お気に入り,カート"},
    {M::kMinorThing, "zh", "筛选条件,心愿单,收藏,购物车,購物車"},
    {M::kMessage, "en", "message,messages,reply,comment,chat,post,write a,type a,say something,whats on your mind,what s on your mind"},
    {M::kMessage, "de", "nachricht,antwort,kommentar,beitrag"},
    {M::kMessage, "fr", "message,reponse,commentaire"},
    {M::kMessage, "es", "mensaje,respuesta,comentario"},
    {M::kMessage, "pt", "mensagem,resposta,comentario"},
    {M::kMessage, "it", "messaggio,risposta,commento"},
    {M::kMessage, "nl", "bericht,antwoord,reactie"},
    {M::kMessage, "ja", "メッセージ,返信,コメント"},
    {M::kMessage, "zh", "消息,訊息,留言,评论,评論"},
};
// clang-format on

// Scripts without spaces: a phrase is found anywhere in a word.
bool IsUnspaced(std::string_view phrase) {
  return static_cast<unsigned char>(phrase.front()) >= 0xe3;
}

// The table in the form it is searched in.
class WordFinder {
 public:
  WordFinder() {
    for (const RiskWordsRow& row : kRiskWords) {
      std::string_view rest = row.phrases;
      while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        Add(rest.substr(0, comma), row.meaning);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
      }
    }
  }

  MeaningSet Find(const Words& words) const {
    MeaningSet found;
    for (std::size_t at = 0; at < words.size(); ++at) {
      const auto phrases = by_first_.find(words[at]);
      if (phrases != by_first_.end()) FindAt(phrases->second, words, at, found);
      if (IsUnspaced(words[at])) FindInside(words[at], found);
    }
    return found;
  }

 private:
  struct Phrase {
    std::string_view text;
    Meaning meaning;
  };

  void Add(std::string_view phrase, Meaning meaning) {
    if (IsUnspaced(phrase)) {
      unspaced_.push_back({phrase, meaning});
      return;
    }
    by_first_[std::string(phrase.substr(0, phrase.find(' ')))].push_back({phrase, meaning});
  }

  static void FindAt(const std::vector<Phrase>& phrases, const Words& words, std::size_t at,
                     MeaningSet& found) {
    for (const Phrase& phrase : phrases) {
      const auto length = static_cast<std::size_t>(std::ranges::count(phrase.text, ' ')) + 1;
      if (at + length > words.size()) continue;
      const auto begin = words.begin() + static_cast<std::ptrdiff_t>(at);
      const Words slice(begin, begin + static_cast<std::ptrdiff_t>(length));
      if (HasPhrase(slice, phrase.text)) found.Add(phrase.meaning);
    }
  }

  void FindInside(std::string_view word, MeaningSet& found) const {
    for (const Phrase& phrase : unspaced_) {
      if (word.contains(phrase.text)) found.Add(phrase.meaning);
    }
  }

  std::unordered_map<std::string, std::vector<Phrase>> by_first_;
  std::vector<Phrase> unspaced_;
};

}  // namespace

std::span<const RiskWordsRow> AllRiskWords() {
  return kRiskWords;
}

MeaningSet MeaningsOf(const Words& words) {
  static const WordFinder finder;
  return finder.Find(words);
}

}  // namespace falconer::policy
