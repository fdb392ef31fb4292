/** HTML's names for U+00A0 to U+00FF, in that order (HTML 4.01, section 24.2). */
const LATIN_1 = `nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3
acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig
Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave
Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave
iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml`;

const MARKUP: readonly [string, string][] = [
  ['lt', '<'],
  ['gt', '>'],
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
];

/** Characters by their names in HTML: those that every program escapes, and those of Latin-1. */
export const HTML_NAMES: ReadonlyMap<string, string> = new Map([
  ...MARKUP,
  ...LATIN_1.split(/\s/).map((name, n): [string, string] => [name, String.fromCharCode(0xa0 + n)]),
]);
