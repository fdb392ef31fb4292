import { setTimeout } from 'node:timers/promises';
import * as z from 'zod';
import type { JournalEvent, ToolCalled } from '../events/types.ts';
import { journalRange } from '../journal/read/range.ts';
import { packsOf, renderOf } from '../packs/of-project.ts';
import type { Rendered } from '../packs/render/render.ts';
import { takeInbox } from '../project/inbox.ts';
import type { Project } from '../project/open.ts';
import { readEvents } from '../projections/events.ts';
import { resolvePoint } from '../timetravel/resolve.ts';

/** What the tools that render take beside packs. */
export const ASKED = {
  budget: z.int().min(1).optional().describe('Tokens.'),
  at: z.string().optional().describe('A point: as it was then.'),
  show_payload: z.boolean().optional(),
};

interface Asked {
  packs: readonly string[];
  budget?: number | undefined;
  at?: string | undefined;
}

/** @throws Ben10Error PACK_NOT_FOUND, USAGE, POINT_NOT_FOUND, LIMIT_EXCEEDED */
export async function renderedFor(
  project: Project,
  { packs: words, budget: budgetTokens, at }: Asked,
): Promise<{ rendered: Rendered; names: string[]; upto: number | undefined }> {
  const point = at === undefined ? undefined : resolvePoint(project, at);
  const packs = packsOf(project, words, point);
  const rendered = await renderOf(project, { packs, budgetTokens, at: point });
  return { rendered, names: packs.flatMap(({ name }) => name ?? []), upto: point?.seq };
}

/** Calls that run at once are among the newest events. */
const LOOKED_AT = 500;
/** A hook that the client does not wait for records the call while it is answered, milliseconds. */
const WAIT_MS = 1000;
const STEP_MS = 50;

/** The session that made a call, as hooks recorded it; null where the client does not tell which call this is. */
export async function sessionOfCall(
  project: Project,
  toolUseId: string | undefined,
): Promise<string | null> {
  if (toolUseId === undefined) return null;
  for (let waited = 0; ; waited += STEP_MS) {
    takeInbox(project);
    const found = callNamed(project, toolUseId);
    if (found !== undefined || waited >= WAIT_MS) return found?.session ?? null;
    await setTimeout(STEP_MS);
  }
}

function callNamed({ ports, reader }: Project, toolUseId: string): JournalEvent | undefined {
  const from = Math.max(1, journalRange(ports, reader).last - LOOKED_AT);
  for (const event of readEvents(reader, ports.xxh64, { from, types: ['tool.called'] }))
    if ((event.data as ToolCalled).toolUseId === toolUseId) return event;
  return undefined;
}
