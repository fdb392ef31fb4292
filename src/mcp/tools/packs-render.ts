import * as z from 'zod';
import { journalRange } from '../../journal/read/range.ts';
import { renderedData } from '../../packs/as-data.ts';
import { deltaOf, hadBy, hasForgotten, type Told, wholeOf } from '../../packs/kept/given.ts';
import { findSnapshot, payloadOf, takeSnapshot } from '../../packs/kept/snapshots.ts';
import { renderWords } from '../../packs/of-project.ts';
import { loadCounter } from '../../packs/render/tokens.ts';
import { Ben10Error } from '../../platform/errors.ts';
import type { Project } from '../../project/open.ts';
import { type Answer, dataAnswer, QUOTED } from '../answer.ts';
import { catchUpBehindClient } from '../catching-up.ts';
import type { ServerContext } from '../context.ts';
import { decodeCursor, encodeCursor, PAGED } from '../cursor.ts';
import { PAGE_BYTES } from '../limits.ts';
import { pagesOf } from '../payload-pages.ts';
import { ASKED, pageAnswer, readerOfCall, sumsOf, toldIn } from '../rendering.ts';
import { defineTool, WRITES } from '../tool.ts';

const NAME = 'ctx_packs_render';

const input = z.strictObject({
  packs: z.array(z.string()).min(1).optional(),
  snapshot_id: z.string().optional().describe('Instead of packs: an id or label.'),
  ...ASKED,
  full: z.boolean().optional().describe('Also what this session has.'),
  ...PAGED,
});
type Input = z.infer<typeof input>;

/** Where a page comes from: a snapshot, or with a read-only server the same render again. */
const place = z.strictObject({
  snapshot: z.string().optional(),
  reader: z.strictObject({ session: z.string(), agent: z.string().nullable() }).optional(),
  isFull: z.boolean(),
  /** The newest event before the first page. */
  upto: z.int(),
  again: z
    .strictObject({
      packs: z.array(z.string()),
      budget: ASKED.budget,
      at: ASKED.at,
      hash: z.string(),
    })
    .optional(),
});
type Place = z.infer<typeof place>;

export const packsRenderTool = defineTool({
  name: NAME,
  title: 'Render context packs',
  description:
    'Gives the contents of packs, in pages. What this session was given before and did not change is left out, until a compaction.',
  annotations: WRITES,
  writesNotesOnly: true,
  input,
  async run(asked, context, _ask, toolUseId) {
    const { cursor, packs, snapshot_id: snapshot } = asked;
    if ([cursor, packs, snapshot].filter((one) => one !== undefined).length !== 1) {
      throw new Ben10Error('USAGE', `${NAME} takes one of packs, snapshot_id and cursor`, {
        next: 'Give names of packs, or sources: {"packs": ["auth"]}, {"packs": ["glob:src/**"]}.',
      });
    }
    if (cursor !== undefined) {
      const { args, position } = decodeCursor(NAME, cursor, place);
      return page(context, args, position, {});
    }
    const begun = await begin(context, asked, toolUseId);
    if (asked.show_payload === false) return dataAnswer({ note: QUOTED, ...begun.about });
    return page(context, begun.place, 0, sumsOf(begun.about));
  },
});

/** Keeps what is rendered, so that all pages are of one. */
async function begin(
  context: ServerContext,
  { packs = [], snapshot_id, budget, at, full = false }: Input,
  toolUseId: string | undefined,
): Promise<{ place: Place; about: object }> {
  const { project, settings } = context;
  const reader = settings.isReadOnly ? undefined : await readerOfCall(project, toolUseId);
  // Only the transcript tells of a rewind.
  if (reader !== undefined && !full) await catchUpBehindClient(context);
  const { last: upto } = journalRange(project.ports, project.reader);
  const own = { upto, isFull: full, ...(reader && { reader }) };
  if (snapshot_id !== undefined) {
    const { id, label, tokens, renderHash, payloadHash } = findSnapshot(project, snapshot_id);
    const about = { snapshot_id: id, label, token_estimate: tokens };
    return {
      place: { ...own, isFull: true, snapshot: id },
      about: { ...about, render_hash: renderHash, payload_hash: payloadHash },
    };
  }
  const { rendered, about: kept } = await renderWords(project, packs, { budgetTokens: budget, at });
  const about = renderedData(rendered);
  if (rendered.payload.length === 0) throw tooMuch(packs);
  if (settings.isReadOnly) {
    const again = { packs, budget, at, hash: rendered.payloadHash };
    return { place: { upto, isFull: true, again }, about };
  }
  const { id } = takeSnapshot(
    project,
    rendered,
    { ...kept, auto: true, session: reader?.session ?? null },
    'tool',
  );
  context.touched();
  return { place: { ...own, snapshot: id }, about: { snapshot_id: id, ...about } };
}

const tooMuch = (packs: readonly string[]): Ben10Error =>
  new Ben10Error('LIMIT_EXCEEDED', `not everything in ${packs.join(', ')} fits the budget`, {
    next: 'Give a larger budget; ctx_packs_preview says what does not fit.',
  });

/** Pages of what a place holds; the last one records that all of it was given. */
async function page(
  context: ServerContext,
  at: Place,
  position: number,
  about: object,
): Promise<Answer> {
  const { project } = context;
  const told = await toldAt(project, at);
  const { text, isDelta, items, tokens } = told;
  const pages = pagesOf(told, PAGE_BYTES);
  const shown = pages[position];
  if (shown === undefined) {
    throw new Ben10Error('USAGE', `there is no page ${position + 1}`, {
      next: `Call ${NAME} again without cursor.`,
    });
  }
  const isLast = position === pages.length - 1;
  const mode = isDelta ? 'delta' : 'full';
  const { snapshot, reader } = at;
  // What came before a compaction between two pages is gone.
  if (isLast && snapshot && reader && !hasForgotten(project, reader, at.upto)) {
    const chars = text.toString('utf8').length;
    const data = {
      snapshot,
      mode,
      ...(items && { items }),
      tokens: await tokens(),
      chars,
    } as const;
    const fact = {
      type: 'pack.given' as const,
      fact: null,
      ...reader,
      at: project.ports.clock.now(),
      data,
    };
    context.recorder.append([context.recorder.event(fact, 'tool')]);
    context.touched();
  }
  const next = isLast ? {} : { nextCursor: encodeCursor(NAME, at, position + 1) };
  return pageAnswer(shown, { ...about, mode, page: position + 1, pages: pages.length, ...next });
}

type Shown = Told & { isDelta: boolean; tokens(): Promise<number> };

/** @throws Ben10Error PACK_CHANGED, PACK_NOT_FOUND, CHECKSUM_MISMATCH */
async function toldAt(
  project: Project,
  { snapshot, reader, isFull, upto, again }: Place,
): Promise<Shown> {
  if (snapshot === undefined) return toldAgain(project, again!);
  const record = findSnapshot(project, snapshot);
  const kept = payloadOf(project, record);
  const delta =
    reader === undefined || isFull
      ? undefined
      : deltaOf(kept, record.packs, hadBy(project, reader, upto));
  if (delta === undefined)
    return { ...wholeOf(kept), isDelta: false, tokens: async () => record.tokens };
  const tokens = async () =>
    (await loadCounter(record.policy.tokenizer))(delta.text.toString('utf8'));
  return { ...delta, isDelta: true, tokens };
}

async function toldAgain(
  project: Project,
  { hash, packs, budget, at }: NonNullable<Place['again']>,
): Promise<Shown> {
  const { rendered } = await renderWords(project, packs, { budgetTokens: budget, at });
  if (rendered.payloadHash !== hash) {
    throw new Ben10Error(
      'PACK_CHANGED',
      'what these packs render has changed since the first page',
      {
        next: `Call ${NAME} again without cursor.`,
      },
    );
  }
  return { ...toldIn(project, rendered), isDelta: false, tokens: async () => rendered.tokens };
}
