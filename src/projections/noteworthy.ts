import { isCorrection } from './folds/corrections.ts';
import { isRule } from './folds/rules.ts';
import { sentencesOf } from './folds/statements.ts';
import { referencesIn } from './references.ts';

/** What a sentence is good for: said by the user, decided or found out by the agent, or a figure that a tool printed. */
export type NoteKind = 'said' | 'decision' | 'finding' | 'figure';

export interface Noteworthy {
  kind: NoteKind;
  text: string;
  /** 0 to 100: how likely somebody wants it again; see the README of `recall/`. */
  weight: number;
}

const NOTE_CHARS = 260;
/** Of one text: a long report must not crowd out the others. */
const NOTES_PER_TEXT = 12;
const LINES_MAX = 400;
const FIGURES_PER_TEXT = 4;

const OBLIGES =
  /\b(?:must|never|always|only|don['’]?t|do not|cannot|can['’]t|may not|shall|should|keep|avoid|without|unless|instead|rather|require[sd]?|required|needs? to|has to|have to|make sure|ensure|forbidden|allowed|no longer|stick to|prefer|leave|every|not)\b/i;
const STRESSES =
  /\b(?:remember|note|important|keep in mind|heads[- ]up|fyi|for (?:the record|reference)|by the way|btw|reminder|bear in mind|careful|mind that|beware|don['’]t forget|be aware|as agreed|convention|policy|rule)\b/i;
const DECIDES =
  /\b(?:decid\w+|decision|chose|chosen|choos(?:e|ing)|opt(?:ed|ing) (?:for|to)|going with|go(?:es)? with|went with|settl(?:ed?|ing) (?:on|for)|agreed|picked|picking|ruled out|reject(?:ed|ing)|commit(?:ted|ting) to|adopt(?:ed|ing)?|we(?:['’]ll| will) (?:use|keep|store|stay|stick|go|do|have)|I(?:['’]ll| will) (?:use|keep|store|stick|go with)|stick(?:ing)? with|switch(?:ed|ing)? (?:to|from)|mov(?:ed|ing) (?:away )?from|instead of|rather than|in favou?r of|over (?:the )?alternative|trade-?off|verdict|conclusion|weigh(?:ed|ing)|wins? over|beats|outweighs?|better (?:than|to)|simpler than|safer than|cheaper than|stays?|must not|design choice|the plan is)\b/i;
const EXPLAINS =
  /\b(?:because|since|so that|so as to|in order to|due to|to avoid|which (?:means|keeps|avoids|lets)|the reason|as (?:it|the|we|this)|otherwise|given that)\b/i;
const FINDS =
  /\b(?:root cause|turn(?:s|ed) out|the (?:problem|issue|bug|culprit|cause|reason) (?:is|was)|caused by|found (?:that|out|the)|discovered|confirm(?:s|ed)|it (?:seems|appears)|measured|benchmark\w*|baseline|profil(?:ed|ing)|result(?:s|ed)?|shows? that|comes? from|fails? (?:because|when|with)|works? (?:because|only|when)|limit(?:s|ed)?|threshold|budget)\b/i;
const PLACES =
  /\b(?:lives?|sits?|resides?|located|defined|declared|stored|kept|found|holds?|contains?|belongs?|is (?:in|at|under)|are (?:in|at|under)|see|look(?:s|ed|ing)? (?:at|in)|points? (?:at|to)|reads? from|writes? to|goes (?:in|into|to)|comes from|entry point|source of truth|settings|config\w*)\b/i;
const MEASURES =
  /\b(?:measured|takes|took|needs|uses|used|costs?|averag\w+|peak(?:s|ed)?|p50|p9[059]|median|capped|caps|limit\w*|max(?:imum)?|min(?:imum)?|at most|at least|up to|no more than|exactly|baseline|budget|threshold|timeout|ttl|port|rate|ratio|total|throughput|latency|went from|dropped|grew|down to|up from|set to|bump\w*|raised|lowered)\b/i;
const INTENDS =
  /^(?:now,? |first,? |next,? |then,? |ok(?:ay)?[,.!]? |great[,.!]? |perfect[,.!]? |good[,.!]? )*(?:let me|let['’]s|i['’]ll (?:now|start|check|look|try|run|create|add|update|fix|also|begin|help|need)|i (?:need|want) to|i am going to|i['’]m going to|now i|here['’]s|i can see)\b/i;
const ASKS = /\?\s*$/;
const MEASURE =
  /\d[\d.,_]*\s?(?:%|ms|[µu]s|ns|s|sec(?:ond)?s?|min(?:ute)?s?|h|hours?|days?|[kKMGT]i?B|bytes?|kb|mb|gb|req(?:uest)?s?(?:\/s)?|rps|qps|ops|rows?|records?|events?|tokens?|chars?|characters|lines?|files?|tests?|px|x|times|Hz|kHz|fps|connections?|workers?|threads?|retries|users?|items?|[€$£]|usd|eur)(?![\w])|[€$£]\s?\d|\b\d{1,3}(?:,\d{3})+\b|\b\d+\.\d+\b/i;
const LABELLED =
  /\b[A-Za-z][\w .()/%-]{1,40}(?:\s*[:=]\s*|\s+(?:is|was|are|of|to|at)\s+)[~≈<>]?\s*[$€£]?\d/;

/** What of a user's prompt is worth a line, besides the rules in it. */
export function saidIn(text: string, isAnswered: boolean): Noteworthy[] {
  return best(
    sentences(text).map((sentence) => {
      if (isRule(sentence) || (isAnswered && isCorrection(sentence)))
        return { kind: 'said', text: sentence, weight: 0 };
      let weight = 18;
      if (OBLIGES.test(sentence)) weight += 26;
      if (STRESSES.test(sentence)) weight += 24;
      weight += Math.min(24, specifics(sentence) * 9) + ofPlaces(sentence);
      if (MEASURE.test(sentence)) weight += MEASURES.test(sentence) ? 24 : 10;
      else if (LABELLED.test(sentence)) weight += 10;
      if (DECIDES.test(sentence)) weight += 16;
      if (ASKS.test(sentence)) weight -= 14;
      if (sentence.split(/\s+/).length < 4) weight -= 18;
      return { kind: 'said', text: sentence, weight };
    }),
  );
}

/** What of the agent's words is worth a line: what it decided and why, what it found out, what it measured. */
export function statedIn(text: string): Noteworthy[] {
  const all = sentences(text);
  return best(
    all.map((sentence, index) => {
      const decides = DECIDES.test(sentence);
      const finds = FINDS.test(sentence);
      let weight = 6;
      if (decides) weight += 44;
      if (finds) weight += 30;
      if (STRESSES.test(sentence)) weight += 14;
      if (EXPLAINS.test(sentence)) weight += decides || finds ? 16 : 24;
      if (MEASURE.test(sentence)) weight += MEASURES.test(sentence) ? 36 : 14;
      else if (LABELLED.test(sentence)) weight += 10;
      weight += Math.min(15, specifics(sentence) * 5) + ofPlaces(sentence);
      if (INTENDS.test(sentence)) weight -= 30;
      if (ASKS.test(sentence)) weight -= 20;
      const next = all[index + 1] ?? '';
      // Its reason may follow.
      const reason = decides && !EXPLAINS.test(sentence) && isReason(next) ? ` ${next}` : '';
      const before = all[index - 1];
      if (
        before !== undefined &&
        DECIDES.test(before) &&
        !EXPLAINS.test(before) &&
        isReason(sentence)
      )
        weight = 0;
      return {
        kind: decides || (EXPLAINS.test(sentence) && !finds) ? 'decision' : 'finding',
        text: sentence + reason,
        weight,
      };
    }),
  );
}

const isReason = (sentence: string): boolean =>
  /^(?:because|reason|why|that way|this (?:way|keeps|avoids|means|lets)|it (?:keeps|avoids|lets|is|has)|otherwise|the reason|so that|since)\b/i.test(
    sentence,
  );

/** Figures in what a command printed: short lines that name what they count. */
export function figuresIn(text: string): Noteworthy[] {
  const lines = text.split('\n', LINES_MAX).map((line) => line.trim());
  const found = lines.filter(
    (line) =>
      line.length >= 6 &&
      line.length <= 160 &&
      /[A-Za-z]{2}/.test(line) &&
      (MEASURE.test(line) || LABELLED.test(line)) &&
      !/^[\d\s:,.|│-]+\s|^[-dlrwx]{9,}|[{};]$|^(?:import|const|let|var|def|return|\/\/|#include)\b/.test(
        line,
      ),
  );
  return found.slice(-FIGURES_PER_TEXT).map((line) => ({
    kind: 'figure',
    text: line,
    weight:
      12 +
      (LABELLED.test(line) ? 10 : 0) +
      (MEASURE.test(line) ? 8 : 0) +
      (MEASURES.test(line) ? 20 : 0),
  }));
}

/** Where something is found is asked for again and again. */
function ofPlaces(sentence: string): number {
  const hasPath = [...referencesIn(sentence).values()].some(({ kind }) => kind === 'path');
  return hasPath ? (PLACES.test(sentence) ? 46 : 12) : 0;
}

/** How many things it names that a text elsewhere can be about. */
const specifics = (sentence: string): number => referencesIn(sentence).size;

const sentences = (text: string): string[] =>
  sentencesOf(text).map((one) => one.replace(/\s+/g, ' ').replace(/\*\*|__/g, ''));

function best(notes: Noteworthy[]): Noteworthy[] {
  return notes
    .filter(({ weight }) => weight >= 20)
    .map((note) => ({
      ...note,
      text: note.text.length <= NOTE_CHARS ? note.text : `${note.text.slice(0, NOTE_CHARS)}…`,
      weight: Math.min(100, note.weight),
    }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, NOTES_PER_TEXT);
}
