// What walls say to visitors. Many pages say such things about something else, so this only counts on a page that has
// nothing else to say.

export type Saying = 'denied' | 'verifying' | 'robot' | 'loading';

const SAYINGS: Record<Saying, RegExp> = {
  denied:
    /\b(access (to this (page|site|website|resource) )?(is |has been |was )?(denied|forbidden|blocked|restricted)|you (do not|don't) have (permission|access) to (access|view|see|open)|(request|requests) (was |has been |were |could not be satisfied.{0,40})?(blocked|rejected)|(you have been|you are|your ip( address)? (has been|is)) (blocked|banned)|403 forbidden|zugriff verweigert|acc\u00e8s refus\u00e9|acceso denegado)\b/i,
  verifying:
    /\b((verify|verifying|checking|validating|confirming) (that )?(your|the|this) (browser|session|connection|device|visit)|(checking|making sure) (if |that )?(the site connection is secure|you are (a )?human|you('|\u2019)re (not a bot|human))|just a moment|one moment,? please|session (verification|check)|please wait while (we|your) (verify|check|browser|session|request)|ihr browser wird \u00fcberpr\u00fcft)\b/i,
  robot:
    /\b((are|that) you (are )?(not )?(a )?(robot|human|bot)|you('|\u2019)re (not a robot|a human|human)|unusual (traffic|activity)|automated (access|requests|queries|traffic)|press (&|and) hold|prove (that )?you|pardon our interruption|bot (detection|protection|activity)|(type|enter) the (characters|letters|words) (you see|shown|in the (image|picture)))/i,
  loading: /^(loading|please wait|one moment|wird geladen|chargement)\b[\s.\u2026]*$/i,
};

const LOOKED_AT = 2000;

export function sayingsIn(text: string): Saying[] {
  const start = text.slice(0, LOOKED_AT);
  return (Object.keys(SAYINGS) as Saying[]).filter((saying) => SAYINGS[saying].test(start));
}
