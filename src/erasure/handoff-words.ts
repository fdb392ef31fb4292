import { hasShape } from '../events/shape.ts';
import type { CheckpointBegun, HandoffCreated } from '../events/types.ts';
import { HEADING, TAG } from '../handoff/claims.ts';
import { decodeEnvelope } from '../journal/format/envelope.ts';
import type { Project } from '../project/open.ts';
import { ERASED } from '../projections/safe-text.ts';
import { innerOf, withInner } from './based.ts';
import type { FoundEvent } from './plan.ts';
import type { Blobs } from './redact-event.ts';
import { ownEvents } from './search.ts';

/**
 * The found events, and handoffs that quote one of them: they lose its words. A handoff whose beginning is found goes as a whole, for
 * that has what the user gave along.
 * @param found each goes as a whole
 */
export function withHandoffs(
  project: Project,
  found: readonly FoundEvent[],
  blobs: Blobs,
): FoundEvent[] {
  const seqs = new Set(found.map(({ seq }) => seq));
  if (seqs.size === 0) return [...found];
  const begun = new Set<string>();
  const more: FoundEvent[] = [];
  for (const { entry, event } of ownEvents(project)) {
    const { type, data } = innerOf(event);
    if (type === 'checkpoint.begun' && seqs.has(entry.seq))
      begun.add((data as CheckpointBegun).checkpoint);
    if (type !== 'handoff.created' || seqs.has(entry.seq) || !hasShape(innerOf(event))) continue;
    const created = data as HandoffCreated;
    const envelope = decodeEnvelope(entry.payload);
    const { type: outer, at } = envelope;
    const one = {
      origin: found[0]!.origin,
      seq: entry.seq,
      type: outer,
      at,
      isQuote: true,
    } as const;
    if (begun.has(created.checkpoint)) more.push(one);
    else if (created.claims.some(({ seq }) => seqs.has(seq))) {
      const inner = innerOf(envelope);
      const left = withoutQuotes(inner.data as HandoffCreated, seqs, blobs);
      const replacement = withInner(envelope, { ...inner, data: left });
      more.push({ ...one, replacement });
    }
  }
  return [...found, ...more].sort((a, b) => a.seq - b.seq);
}

const ROW = /^(\| C(\d+) \| \w+ \|) .*$/;

/** What is derived may be of several events: it goes as well. Steps stay that the document still has. */
function withoutQuotes(
  data: HandoffCreated,
  seqs: ReadonlySet<number>,
  blobs: Blobs,
): HandoffCreated {
  const isQuote = ({ seq }: { seq: number }) => seqs.has(seq);
  const isGone = ({ kind, basis }: HandoffCreated['claims'][number]) =>
    basis === 'derived' && kind !== 'section';
  const erased = new Set(
    data.claims.filter((one) => isQuote(one) || isGone(one)).map(({ n }) => n),
  );
  const text = typeof data.text === 'string' ? data.text : (blobs.read(data.text.$blob) ?? '');
  const lines = text.split('\n').map((line) => {
    const [tag, n] = TAG.exec(line) ?? [];
    if (tag !== undefined) return erased.has(Number(n)) ? `- ${ERASED} ${tag}` : line;
    const [, row, of] = ROW.exec(line) ?? [];
    if (row !== undefined && erased.has(Number(of))) return `${row} ${ERASED} |`;
    return line.startsWith('# ') ? HEADING : line;
  });
  const left = lines.join('\n');
  return {
    ...data,
    // It could confirm a guess.
    sha256: '',
    text: left,
    nextSteps: data.nextSteps.map((step) => (left.includes(step) ? step : ERASED)),
    claims: data.claims
      .filter((one) => isQuote(one) || !isGone(one))
      .map((one) => (isQuote(one) ? { ...one, subject: ERASED, fact: '' } : one)),
  };
}
