const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];
const DAY = String.raw`(\d{1,2})(?:st|nd|rd|th)?`;
/** `12 March`, `March 12, 2026`, `March 2026`; alone only inside a sentence: `in March`, not `May I`. */
const WORDS = new RegExp(
  String.raw`(?:\b${DAY},? (?:of )?|(?<=\w )|(?=\w{3,9} \d))(${MONTHS.join('|')})\b(?: ${DAY}\b)?(?:,? (\d{4})\b)?`,
);
const DIGITS = /\b(\d{4})-(\d\d)(?:-(\d\d))?\b/;

/** What was done on a day is often told on the next one. */
const DAYS_TOLD = 2;

/**
 * The day or the month that a query names, local; of every year, if it names none.
 * @returns whether a time, milliseconds since 1970, lies in it; undefined if it names none
 */
export function timeNamedIn(query: string): ((at: number) => boolean) | undefined {
  const [, before, name, after, given] = WORDS.exec(query) ?? [];
  const [, yearOf, monthOf, dayOf] = DIGITS.exec(query) ?? [];
  if (name === undefined && monthOf === undefined) return undefined;
  const year = Number(given ?? yearOf ?? 0);
  const month = name === undefined ? Number(monthOf) - 1 : MONTHS.indexOf(name);
  const day = Number(before ?? after ?? dayOf ?? 0);
  return (at) => {
    const when = new Date(at);
    if (year !== 0 && when.getFullYear() !== year) return false;
    if (day === 0) return when.getMonth() === month;
    const start = new Date(when.getFullYear(), month, day);
    const end = new Date(when.getFullYear(), month, day + DAYS_TOLD);
    return when >= start && when < end;
  };
}
