/**
 * Words that say nothing of what a message is about: function words, and what every message to an agent or every card
 * may hold. A match of these alone is no fit.
 */
const STOP_WORDS = new Set(
  `a about above after again all also am an and any anyone anything are as ask at back be because been before being below
  best better between both but by can cannot could did do does doing done down each either else etc ever every everything
  few find for from further get gets getting give given go goes going good got great had has have having he hello help helps
  her here hers hey hi him his how however i if im in into is it its ive just kind know let lets like likes look looking made
  make makes making many may me might mine more most much must my need needs never new no nor not nothing now of off ok okay
  on once one only or other our ours out over own please really right said same say see seem shall she should show so some
  someone something soon still such sure take tell than thank thanks that the their them then there these they thing things
  this those through to too try under until up upon us use used user users using various very via want wants was way we well
  were what when where whether which while who whom whose why will with within without would yes yet you your yours
  able agent agents ai assistant assistants assist bot bots capabilities capability chat chatbot llm model models question
  questions answer answers request requests response responses service services skill skills task tasks tool tools provide
  provides provided support supports supported information work works don't dont can't cant i'm i'll ill won't wont
  aber als am an auf aus bei bin bitte brauche das dass dem den der des die du ein eine einem einen einer es für hat hast
  habe ich im in ist kann kannst mein meine mich mir mit nach nicht oder sich sie sind und uns von vor war was wenn wer wie
  wir wird zu zum zur über
  au aux avec ce ces cette comme dans de des du elle en est et il ils je la le les leur mais mes moi mon ne nous ou où par
  pas peux plus pour que qui sa se ses son sur suis te tu un une veux vous votre
  al algo como con cual cuando de del donde el ella ellos en es esta este estoy ha hay la las lo los me mi mis muy para pero
  por porque puede puedes que qué quiero se ser si sin sobre su sus te tu un una y yo`
    .split(/\s+/)
    .flatMap((word) => [word, word.replace(/'/g, '')]),
);

/** Letters of scripts with an alphabet; one of them alone is no word. */
const ONE_LETTER = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{M}]$/u;

/** Whether a word, as `wordsOf` gives it, tells no agent from another whatever agents there are. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word) || ONE_LETTER.test(word) || /^\p{N}+$/u.test(word);
}
