import type { PackCaptured } from '../../events/types.ts';
import { readEvents } from '../../projections/events.ts';
import { oneLine, withVisible } from '../../projections/safe-text.ts';
import { wholeText } from '../../timetravel/tracked-files.ts';
import { restIn } from '../render/source.ts';
import type { SourceOf } from './sources.ts';

/** What a command printed when it was last run for the pack. It is not run again. */
export const keptOutput: SourceOf = async (project, artifact) => {
  const label = withVisible(oneLine(restIn(artifact)));
  const { capture } = artifact;
  const cwd = withVisible(capture?.cwd ?? artifact.options.cwd ?? '.');
  const attributes = { cmd: label, cwd };
  if (capture === undefined) return [{ label, attributes, reason: 'not_captured' }];
  const { seq, exit, signal = 'timeout' } = capture;
  const { reader, ports } = project;
  const event = readEvents(reader, ports.xxh64, { from: seq, to: seq }).next().value;
  const text = wholeText(project, (event?.data as PackCaptured | undefined)?.output);
  // It was erased, or is damaged.
  if (text === undefined) return [{ label, attributes, reason: 'missing' }];
  return [{ label, attributes: { ...attributes, exit: `${exit ?? signal}` }, text }];
};
