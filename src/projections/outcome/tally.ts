/** The counts of one line of a summary, as `3 passed, 1 failed` or `Tests run: 4, Failures: 1`. */
export interface Tally {
  passed: number | null;
  failed: number | null;
  total: number | null;
  skipped: number | null;
  /** Fewer passed than there are, and no word says what became of the others. */
  isShort?: true;
  /** Its words without the counts: lines of one summary's form are alike. */
  form: string;
}

type Role =
  | 'of'
  | 'thing'
  | 'passed'
  | 'failed'
  | 'found'
  | 'total'
  | 'skipped'
  | 'rest'
  | 'unit'
  | 'filler';

const ROLES: readonly [Role, RegExp][] = [
  ['of', /^of$/],
  ['passed', /^(?:pass(?:ed|es|ing)?|ok|success(?:es|ful|fully)?|succeed(?:ed|s)?)$/],
  [
    'failed',
    /^(?:fail(?:ed|s|ing|ures?)?|err(?:ors?|ored)?|crashed|timeouts?|aborted|cancelled|canceled|unreachable|unexpected|exceptions?|rejections?|nok|interrupted)$/,
  ],
  [
    'found',
    /^(?:problems?|issues?|offen[cs]es?|violations?|vulnerabilit(?:y|ies)|defects?|suggestions?)$/,
  ],
  [
    'total',
    /^(?:total|ran|run|runs|running|executed|collected|completed|finished|selected|checked|inspected|linted|analy[sz]ed)$/,
  ],
  [
    'skipped',
    /^(?:skip(?:ped|s)?|pending|pendings|todos?|ignored|disabled|deselected|excluded|filtered)$/,
  ],
  [
    'rest',
    /^(?:xfail(?:ed)?|xpass(?:ed)?|expected|measured|flaky|warn(?:ings?)?|obsolete|written|updated|cached|undefined|ambiguous|omissions|notifications|informations?|infos?|notes?|hints?|incomplete|risky|broken|retried|changed|unchanged|fixed|fixable|remaining|up-to-date|rescued)$/,
  ],
  ['unit', /^(?:tests?|cases?|test-?cases?|examples?|specs?|scenarios?|checks?|items?|doctests?)$/],
  [
    'thing',
    /^(?:suites?|steps?|features?|files?|asserts?|assertions?|asserted|targets?|tasks?|projects?|packages?|crates?|modules?|expectations?|hooks?|charts?|sources?|jobs?|rules?|mods|funs|functions?|classes|properties|expect|calls|groups?|workspaces?|requests?)$/,
  ],
  [
    'filler',
    /^(?:a|an|and|or|are|at|across|after|all|were|was|by|did|each|for|found|from|has|have|in|is|it|its|not|on|out|that|the|there|this|to|with|took|time|duration|done|summary|results?|status|info|error|warning|compiled|built|listed|below|local(?:ly)?|seed|type|unit|software|design|source|failed-tests|using|start|workers?|count|number|no|more|than|only|threshold|prepare|environment|setup|transform|collect)$/,
  ],
];
const KNOWN = new Map<string, Role | undefined>();
const KNOWN_MAX = 2000;

function roleOf(word: string): Role | undefined {
  const name = word.toLowerCase().replace(/\(?s\)$/, 's');
  if (!KNOWN.has(name)) {
    if (KNOWN.size > KNOWN_MAX) KNOWN.clear();
    KNOWN.set(name, ROLES.find(([, pattern]) => pattern.test(name))?.[0]);
  }
  return KNOWN.get(name);
}

interface Token {
  count?: number;
  /** Of `3/5`. */
  outOf?: number;
  role?: Role | undefined;
  /** `word:` or `word=` names the count behind it. */
  isLabel?: boolean;
  /** The word `no`. */
  isNone?: boolean;
  /** `case 3` is the third one, `tests 3` are three. */
  isOne?: boolean;
  /** A comma, bar or bracket stands behind it. */
  ends?: boolean;
}

const LINE_CHARS = 300;
/** What is counted besides what passed or failed. */
const BESIDE = /^\W*(?:snapshots?|obsolete|start at|duration|time|assertions?)\b|\bfixable with\b/i;
/** What is quoted, times, percentages, dates and versions are no counts. */
const NO_COUNTS =
  /"\d[^"]*"|(?<![\w.])\d+(?:[.,:]\d+)*\s?(?:%|(?:ms|msecs?|s|secs?|seconds?|m|mins?|minutes?|[µμ]s|us|ns|h|hours?|[kmg]?i?b|bytes)(?![\w]))|\d+(?:[.:]\d+)+|\bv\d[\w.]*/gi;
/** Unknown words that a line with one count, or with several, may have besides. */
const STRANGE_MAX = 1;
const STRANGE_AMONG_MANY = 6;

/** @param line trimmed; undefined where it is no summary */
export function tallyOf(line: string): Tally | undefined {
  if (!/\d|\bno\b/i.test(line) || line.length > LINE_CHARS || BESIDE.test(line)) return undefined;
  const chunks = line
    .replace(NO_COUNTS, ' ')
    .split(/[\s…]+/)
    .filter(Boolean);
  const tokens: Token[] = [];
  const form: string[] = [];
  let strange = 0;
  for (const chunk of chunks) {
    for (const token of tokensOf(chunk)) {
      tokens.push(token);
      if (token.count === undefined && token.role === undefined && token.ends !== true)
        strange += 1;
    }
    form.push(chunk.toLowerCase().replace(/\d+/g, '0'));
  }
  const tally = counted(tokens);
  if (tally === undefined) return undefined;
  const { pairs, ...found } = tally;
  if (strange > (pairs > 1 ? STRANGE_AMONG_MANY : STRANGE_MAX)) return undefined;
  return { ...found, form: form.filter((one) => /[a-z]/.test(one)).join(' ') };
}

function tokensOf(chunk: string): Token[] {
  const [, open = '', body = '', close = ''] =
    /^([^\p{L}\p{N}]*)(.*?)([^\p{L}\p{N})]*\)?[^\p{L}\p{N}]*)$/u.exec(chunk) ?? [];
  const before: Token[] = /[([|]/.test(open) ? [{ ends: true }] : [];
  const isPlural = /^\w+\(s$/.test(body) && close.startsWith(')');
  const word = isPlural ? body.replace('(', '') : body;
  const pair = /^([A-Za-z]+)[=:](\d+)$/.exec(word);
  if (pair !== null)
    return [
      ...before,
      { role: roleOf(pair[1]!), isLabel: true },
      { count: Number(pair[2]), ends: true },
    ];
  const rest = isPlural ? close.slice(1) : close;
  const ends = /[,;|)\]]|\.$/.test(rest);
  if (/^\d{1,7}(?:\/\d{1,7})?$/.test(word))
    return [...before, { count: Number.parseInt(word, 10), ...outOf(word), ends }];
  if (word === '') return before.length > 0 || ends ? [{ ends: true }] : [];
  if (/^no$/i.test(word)) return [...before, { count: 0, isNone: true, ends }];
  return [
    ...before,
    {
      role: roleOf(word),
      isOne: !/s$/i.test(word),
      isLabel: /^[:=]/.test(rest),
      ...(ends && { ends }),
    },
  ].map((one) =>
    one.ends && 'role' in one && one.role === undefined ? { role: undefined, ends: false } : one,
  );
}

const outOf = (word: string): { outOf?: number } =>
  word.includes('/') ? { outOf: Number(word.split('/')[1]) } : {};

/** Pairs each count with its word: the one behind it (`1 test failed`), else the label or word before it (`Failures: 1`). */
function counted(tokens: readonly Token[]): (Omit<Tally, 'form'> & { pairs: number }) | undefined {
  const sums: Partial<Record<Role, number>> = {};
  let pairs = 0;
  for (const [at, { count, isNone, outOf = 0 }] of tokens.entries()) {
    if (count === undefined) continue;
    if (tokens[at - 1]?.role === 'of') {
      sums.total = Math.max(sums.total ?? 0, count);
      continue;
    }
    const role = roleBehind(tokens, at) ?? roleBefore(tokens, at);
    if (role === undefined || /^(?:filler|of|thing)$/.test(role)) continue;
    if (isNone && /^(?:unit|total)$/.test(role)) continue;
    const is = role === 'unit' ? 'total' : role;
    if (is === 'total') sums.total = Math.max(sums.total ?? 0, count);
    else {
      if (is === 'passed' && outOf > 0) sums.total = Math.max(sums.total ?? 0, outOf);
      sums[is] = (sums[is] ?? 0) + count;
      pairs += 1;
    }
  }
  if (pairs === 0 && sums.total === undefined) return undefined;
  const { passed = null, failed = sums.found ?? null, total = null, skipped = null } = sums;
  const beside = (sums.rest ?? 0) + (skipped ?? 0);
  const isShort = failed === null && (passed ?? 0) > 0 && passed! + beside < (total ?? 0);
  return { passed, failed, total, skipped, ...(isShort && { isShort }), pairs };
}

const BEHIND_MAX = 5;

function roleBehind(tokens: readonly Token[], at: number): Role | undefined {
  if (tokens[at]!.ends) return undefined;
  let unit: Role | undefined;
  for (let next = at + 1; next <= at + BEHIND_MAX && next < tokens.length; next += 1) {
    const { count, role, isLabel, ends } = tokens[next]!;
    if (isLabel) return unit;
    // `1 of 3 failed`
    if (count !== undefined && tokens[next - 1]!.role !== 'of') return unit;
    if (role === undefined && count === undefined) return unit;
    if (role !== undefined && !/^(?:of|unit|thing|filler|total)$/.test(role)) return role;
    if (role === 'unit' || role === 'total') unit ??= role;
    if (ends) return unit;
  }
  return unit;
}

function roleBefore(tokens: readonly Token[], at: number): Role | undefined {
  const before = tokens[at - 1];
  if (before === undefined || (before.ends && !before.isLabel)) return undefined;
  return before.role === 'unit' && before.isOne && !before.isLabel ? undefined : before.role;
}

const NEAR = 2;

/** Whether a line that counts only what passed has lines beside it that count more runs: `Total: 7`, `Passed: 6`, `Skipped: 0`. */
export function isShortOf(lines: readonly string[], at: number): boolean {
  const { passed, failed, total, form } = tallyOf(lines[at]!) ?? { passed: null };
  if (passed === null || failed !== null || total !== null || form!.includes(' ')) return false;
  const beside = lines
    .slice(Math.max(0, at - NEAR), at + NEAR + 1)
    .flatMap((line) => tallyOf(line) ?? []);
  if (beside.some((one) => one.failed !== null)) return false;
  const others = beside.filter((one) => one.passed === null);
  const all = Math.max(0, ...others.map((one) => one.total ?? 0));
  return all > passed + others.reduce((sum, { skipped }) => sum + (skipped ?? 0), 0);
}
