import { setTimeout } from 'node:timers/promises';
import { catchUp, transcriptOf } from '../project/catch-up.ts';
import type { ServerContext } from './context.ts';

/** The client writes a tool call to the transcript some 100 ms after the call. */
const CLIENT_LAG_MS = 150;

/** Waits until the client has written the current turn, then reads the transcript. */
export async function catchUpBehindClient(context: ServerContext): Promise<void> {
  if (!context.settings.config.context.autoSave) return;
  const { transcript } = transcriptOf(context.project);
  const { fs } = context.project.ports;
  if (transcript === undefined || fs.statIfThere(transcript)?.isFile !== true) return;
  await setTimeout(CLIENT_LAG_MS);
  catchUp(context.project);
  context.touched();
}
