import { compileOnce } from '../../platform/machine-code.ts';

/** Rules and corrections in six other languages: `never`, `always`, `must`, `don't`, `only` as commands, not as reports. */
const GERMAN = [
  /^(?:(?:und|aber|also|bitte|ok|ja|nur),?\s+)*(?:nie(?:mals)?|immer|stets|keinesfalls|nur noch)\s(?!(?:noch|wieder|mehr|so|gut|gesehen|gehört)\b)/,
  /\b(?:ab (?:jetzt|sofort)|von nun an|merk dir|auf keinen fall|unter keinen umständen|ausnahmslos)\b/,
  /\b(?:darf|darfst|dürf(?:en|t)|soll|sollst|soll(?:en|t)|muss|musst|müss(?:en|t))\s(?:\S+\s){0,3}(?:nie|niemals|immer|stets|nicht|nur|keine?[mnrs]?|unter|mindestens|höchstens)\s/,
  /\bbitte\s(?:\S+\s){0,2}(?:nie|niemals|nichts|nix|nicht|keine?[mnrs]?|immer)\s/,
  /\bich (?:will|möchte) (?:\S+ )?(?:keine?[mnrs]?|nie|nur)\s/,
  // `Keine Migrationen laufen lassen`, `kein Deployment ohne mein Okay`; not `keine Fehler gefunden`.
  /^(?:(?:und|aber|also|bitte|ok|ja),?\s+)*keine?[mnrs]?\s(?!(?:ahnung|problem|zeit|sorge|lust|idee|wunder|panik)\b)(?:[^,.!]*\s(?!\S*ge\S+en\b)\S{3,}en(?=[,.!\s]*$|,)|[^,.!]*\sohne (?:dass|vorher|meine?[nm]?|rücksprache|freigabe)\b)/,
  /\bimmer\s.*\bnie(?:mals)?\s|\bnie(?:mals)?\s.*\bimmer\s/,
];
const FRENCH = [
  /\b(?:dois|devez|doit|doivent|faut) (?:\S+ ){0,2}(?:toujours|jamais|uniquement|seulement)\b/,
  /\bil ne faut (?:pas|jamais)\b/,
  /(?:^|\bet |, )(?:ne |n['’])(?!(?:marche|fonctionne|compile|passe|va|sait)\b)\w+(?:e|ez|is|s) (?:pas|jamais|plus)\b/,
  /^(?:toujours|jamais)\s(?!(?:pas|le même|la même|vu)\b)/,
  /\b(?:désormais|à partir de maintenant|interdit de|obligatoire)\b/,
];
const IBERIAN = [
  /^(?:por favor,?\s+)?(?:nunca|jam[áa]is|siempre|sempre)\s(?!\S+(?:ó|ou|aba|ava|ía|ia)(?:\s|$))/,
  /\b(?:debes?|deben|devem?|tienes? que|tem que|hay que|precisa) (?:\S+ ){0,2}(?:siempre|sempre|nunca|s[oó]lo|só|apenas)\s/,
  /(?:^|\s)(?:no|não|nunca) (?:toques?|uses?|hagas|faça|cambies|altere|borres|apague|añadas|adicione|subas|edites?|modifiques?|mexa)(?:\s|$)/,
  /\ba partir de (?:ahora|agora)\b|\b(?:prohibido|proibido|obligatorio|obrigatório)\b/,
];
const JAPANESE = [
  /(?:必ず|常に|絶対に?|決して).*(?:こと|ください|下さい|くださいね|て|で|な|しろ|せよ|よう)[。！!]?$/,
  /(?:ないこと|ないで(?:ください|下さい|ね)?|てはいけない|てはならない|禁止|厳禁)(?:です)?[。！!]?$/,
];
const CHINESE = [
  /(?:^|[，,、；;])[^，,、；;]{0,12}(?:不要|不准|不得|不许|禁止|严禁|千万别|必须|务必|一定要|只能|只准|一律|永远不|绝对不)/,
  /^(?:请)?别(?![的人处])/,
];
const LATIN = [...GERMAN, ...FRENCH, ...IBERIAN];
const KANA = /[぀-ヿ]/;
const HAN = /[一-鿿]/;
const ENDS_ASKING = /[?？]\s*$/;

export function isForeignRule(sentence: string): boolean {
  const line = sentence.trim().toLowerCase();
  if (ENDS_ASKING.test(line)) return false;
  if (KANA.test(line)) return JAPANESE.some((sign) => sign.test(line));
  if (HAN.test(line)) return CHINESE.some((sign) => sign.test(line));
  compileOnce(LATIN);
  return LATIN.some((sign) => sign.test(`${line} `));
}

const CORRECTS =
  /^(?:nein|nee?|nö|falsch|quatsch|non|não|errado|いや|違う|違います|いいえ|ちがう|不对|不是|错了|不)(?=[\s,.!:;、。，！–—-]|$)|^(?:das (?:ist|war|stimmt) (?:so )?(?:nicht|falsch)|doch nicht|pas (?:ça|comme ça)|ce n['’]est pas|c['’]est faux|así no|eso no|está mal|isso não)(?=[\s,.!:;]|$)/;
const LONG = [CORRECTS];

/** @param sentence of a user's prompt, some hundred characters at most */
export const isForeignCorrection = (sentence: string): boolean => {
  const line = sentence.trim().toLowerCase();
  compileOnce(LONG);
  return !ENDS_ASKING.test(line) && CORRECTS.test(line);
};
