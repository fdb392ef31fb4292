import { setTimeout } from 'node:timers/promises';
import { catchUp, transcriptOf } from '../project/catch-up.ts';
import type { ServerContext } from './context.ts';

/** The client writes a record some 100 ms after it has called the tool that stands in it. */
const CLIENT_LAG_MS = 150;

/** As `catchUp`, of a turn that is at this very call: its last words are about to be written. */
export async function catchUpBehindClient(context: ServerContext): Promise<void> {
  if (!context.settings.config.context.autoSave) return;
  const { transcript } = transcriptOf(context.project);
  const { fs } = context.project.ports;
  if (transcript === undefined || fs.statIfThere(transcript)?.isFile !== true) return;
  await setTimeout(CLIENT_LAG_MS);
  catchUp(context.project);
  context.touched();
}
