// In recorded sessions, cut at many points: of the paths, commands, identifiers and numbers that the next ten turns use and
// that had appeared before, how many does the agent have again after a compaction? Beside the last messages of the same
// size, ContextKeeper's levels, and an oracle. README.md says how, and what this cannot show.
import { installed } from '../lib/installed.mjs';
import { atLeastRow, flags, script } from '../lib/report.mjs';
import { bareNames, contextKeeper, lastMessages, oracle, SHORT_FORMS } from './baselines.mjs';
import { allCuts, LONG_CHARS, recordedCompactions } from './cuts.mjs';
import { printMisses } from './misses.mjs';
import { eachOf, givenBack } from './product.mjs';
import { holds, kindOf } from './references.mjs';

const LARGE = 9000;
const SMALL = 1600;
/** With `--quick`, one cut of so many. */
const QUICK_EVERY = 6;
const KINDS = ['path', 'command', 'identifier', 'number'];
const LEVELS = ['minimal', 'normal', 'full'];

const percent = (share) => share * 100;
const sum = (list) => list.reduce((a, b) => a + b, 0);

/** Pooled over all cuts: references that a text holds, of those that it should. */
function shareOf(cuts, texts, which = (cut) => cut.references) {
  const asked = cuts.map(which);
  const found = cuts.map(
    (cut, n) => asked[n].filter((one) => holds(texts[n], one, cut.cwd)).length,
  );
  return sum(found) / sum(asked.map(({ length }) => length));
}

/** The last messages in the short form that finds most. */
function strongest(cuts, max) {
  const forms = SHORT_FORMS.map((each) => {
    const texts = cuts.map(({ before }) => lastMessages(before, max, each));
    return { each, texts, share: shareOf(cuts, texts) };
  });
  return forms.reduce((best, one) => (one.share > best.share ? one : best));
}

const missedBy = (texts) => (cut, n) =>
  cut.references.filter((one) => !holds(texts[n], one, cut.cwd));

function baselineRows(about, cuts, max, peer) {
  const row = (name, texts) => atLeastRow(`${about}: ${name}`, percent(shareOf(cuts, texts)), '%');
  return [
    row(`the last messages (at most ${peer.each} characters each)`, peer.texts),
    ...LEVELS.map((level) =>
      row(
        `ContextKeeper, ${level}`,
        cuts.map(({ before }) => contextKeeper(before, level, max)),
      ),
    ),
    row(
      'a bare list of the names used most',
      cuts.map(({ before, cwd }) => bareNames(before, cwd, max)),
    ),
    row(
      'an oracle (the ceiling)',
      cuts.map(({ references }) => oracle(references, max)),
    ),
    atLeastRow(`${about}: no recall`, 0, '%'),
  ];
}

/** One size: what ben10 gives back, its parts, and the baselines. */
async function measure(entry, cuts, max, about, goals) {
  const given = await eachOf(cuts, ({ before }) => givenBack(entry, before, { maxChars: max }));
  const texts = given.map(({ text }) => text);
  const peer = strongest(cuts, max);
  const missed = cuts.map(missedBy(peer.texts));
  const share = shareOf(cuts, texts);
  const own = cuts.map((cut, n) => ({ ...cut, text: texts[n] })).filter(({ grown }) => !grown);
  const chars = Math.round(sum(given.map((one) => one.chars)) / given.length);
  const said = cuts.map((cut, n) => ({ cut, text: texts[n] })).filter(({ cut }) => cut.said.length);
  const asked = sum(cuts.map(({ references }) => references.length));
  const beside = `${cuts.length} cuts, ${asked} references, ${chars} characters given back on average`;
  if (flags.misses) printMisses(about, cuts.flatMap(missedBy(texts)), KINDS, kindOf);
  return [
    atLeastRow(`${about}: ben10`, percent(share), '%', beside, goals.share),
    atLeastRow(
      `${about}: ben10 to the last messages`,
      share / peer.share,
      'times',
      '',
      goals.times,
    ),
    atLeastRow(
      `${about}: of what the last messages miss`,
      percent(shareOf(cuts, texts, (cut) => missed[cuts.indexOf(cut)])),
      '%',
      `${sum(missed.map(({ length }) => length))} references`,
      goals.missed,
    ),
    ...KINDS.map((kind) => kindRow(about, cuts, texts, peer.texts, kind)),
    atLeastRow(
      `${about}: without the text of files that are written`,
      percent(
        shareOf(
          said.map(({ cut }) => cut),
          said.map(({ text }) => text),
          (cut) => cut.said,
        ),
      ),
      '%',
      `${said.length} cuts`,
    ),
    ...ownRow(about, cuts, own),
    ...baselineRows(about, cuts, max, peer),
    ...over(given, max, about),
  ];
}

/** The cuts whose history is all their own, where that is not all of them. */
function ownRow(about, cuts, own) {
  if (own.length === cuts.length) return [];
  const texts = own.map(({ text }) => text);
  const share = percent(shareOf(own, texts));
  return [atLeastRow(`${about}: sessions as recorded`, share, '%', `${own.length} cuts`)];
}

function kindRow(about, cuts, texts, peerTexts, kind) {
  const which = (cut) => cut.references.filter((one) => kindOf(one) === kind);
  const peer = percent(shareOf(cuts, peerTexts, which)).toFixed(0);
  const ours = percent(shareOf(cuts, texts, which));
  const asked = sum(cuts.map((cut) => which(cut).length));
  return atLeastRow(
    `${about}: ${kind}s`,
    ours,
    '%',
    `last messages ${peer} %, ${asked} references`,
  );
}

/** Texts that were longer than allowed were cut, which must not pass unseen. */
function over(given, max, about) {
  const cut = given.filter(({ chars }) => chars > max).length;
  return cut === 0 ? [] : [atLeastRow(`${about}: texts cut at ${max} characters`, cut, 'texts')];
}

/** Where the client compacted by itself: its summary alone, and what ben10 gives back beside it. */
async function ownSummaries(entry) {
  const cuts = recordedCompactions();
  const given = await eachOf(cuts, ({ before, summary }) => givenBack(entry, before, { summary }));
  const row = (name, texts) =>
    atLeastRow(`the client's own compactions: ${name}`, percent(shareOf(cuts, texts)), '%', beside);
  const asked = sum(cuts.map(({ references }) => references.length));
  const beside = `${cuts.length} compactions, ${asked} references`;
  return [
    row(
      'its summary',
      cuts.map(({ summary }) => summary),
    ),
    row(
      'ben10',
      given.map(({ text }) => text),
    ),
    row(
      'both',
      cuts.map(({ summary }, n) => `${summary}\n${given[n].text}`),
    ),
  ];
}

await script('recall-next-reference', async () => {
  const { entry } = installed();
  const cuts = allCuts().filter((_, n) => !flags.quick || n % QUICK_EVERY === 0);
  const long = cuts.filter(({ chars }) => chars >= LONG_CHARS);
  const real = cuts.filter(({ grown }) => !grown);
  const goals = { share: 85, times: 1.35, missed: 50 };
  return [
    ...(await measure(entry, long, LARGE, `${LARGE} characters`, goals)),
    ...(await measure(entry, real, SMALL, `${SMALL} characters`, { times: 1.4 })),
    ...(await ownSummaries(entry)),
  ];
});
