import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import type { JournalEvent, ToolCalled } from '../events/types.ts';
import { journalRange } from '../journal/read/range.ts';
import type { Reader, Told } from '../packs/kept/given.ts';
import { manifestOf } from '../packs/kept/payload-file.ts';
import type { Rendered } from '../packs/render/render.ts';
import { takeInbox } from '../project/inbox.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import type { Answer } from './answer.ts';

/** What the tools that render take beside packs. */
export const ASKED = {
  budget: z.int().min(1).optional().describe('Tokens.'),
  at: z.string().optional().describe('A point: as it was then.'),
  show_payload: z.boolean().optional(),
};

/** A payload, and where its items begin. */
export const toldIn = (project: Project, rendered: Rendered): Pick<Told, 'text' | 'cuts'> => ({
  text: Buffer.concat(rendered.payload),
  cuts: manifestOf(project, rendered).map(({ offset }) => offset),
});

/** What a page of a payload is told with: no lists, which the payload is of. */
export function sumsOf(about: object): object {
  const {
    included: _,
    excluded: __,
    payload_text: ___,
    ...sums
  } = about as Record<string, unknown>;
  return sums;
}

/** The bytes as they are, not as JSON, whose escapes cost tokens; what belongs to them comes behind. */
export const pageAnswer = (page: Buffer, notes: object): Answer => ({
  content: [
    { type: 'text', text: page.toString('utf8') },
    { type: 'text', text: JSON.stringify(notes) },
  ],
});

/** Calls that run at once are among the newest events. */
const LOOKED_AT = 500;
/** A hook that the client does not wait for records the call while it is answered, milliseconds. */
const WAIT_MS = 1000;
const STEP_MS = 50;

/** Who made a call, as hooks recorded it; undefined where the client does not tell which call this is. */
export async function readerOfCall(
  project: Project,
  toolUseId: string | undefined,
): Promise<Reader | undefined> {
  if (toolUseId === undefined) return undefined;
  for (let waited = 0; ; waited += STEP_MS) {
    takeInbox(project);
    const found = callNamed(project, toolUseId);
    if (found?.session != null) return { session: found.session, agent: found.agent };
    if (waited >= WAIT_MS) return undefined;
    await setTimeout(STEP_MS);
  }
}

function callNamed({ ports, reader }: Project, toolUseId: string): JournalEvent | undefined {
  const from = Math.max(1, journalRange(ports, reader).last - LOOKED_AT);
  for (const event of readEvents(reader, ports.xxh64, { from, types: ['tool.called'] }))
    if ((event.data as ToolCalled).toolUseId === toolUseId) return event;
  return undefined;
}
