import { observeHook } from '../capture/claude/hooks.ts';
import { type Json, text } from '../capture/json.ts';
import { nameByOrder } from '../capture/naming.ts';
import type { Observation } from '../capture/observation.ts';
import type { Recorder } from '../capture/recorder.ts';
import type { NewEvent } from '../journal/append/inbox.ts';
import { errno } from '../platform/errors.ts';
import { isNoProject } from '../platform/project-folder.ts';
import type { Project } from '../project/open.ts';
import { cursors } from '../projections/folds/cursors.ts';
import type { RecordOutcome, ServerContext } from './context.ts';
import { hookInput } from './hook-input.ts';

/** Facts whose id depends on how many came before. */
const NAMED_BY_ORDER = new Set(['prompt.submitted', 'compaction.finished']);

/** Appends a hook's event, redacted. Never throws, because the agent waits; what is missed is read from the transcript later. */
export async function recordHook(args: Json, context: ServerContext): Promise<RecordOutcome> {
  const start = performance.now();
  let outcome: RecordOutcome = 'ignored';
  try {
    const event = eventOf(args, context);
    if (event !== undefined) {
      const { spooled } = await context.group.append(event);
      outcome = spooled ? 'spooled' : 'recorded';
      context.readOnly = false;
    }
  } catch (error) {
    outcome = 'failed';
    complain(error, context);
  }
  context.recordCounts[outcome] += 1;
  context.recordTimes.add(performance.now() - start);
  return outcome;
}

function eventOf(args: Json, context: ServerContext): NewEvent | undefined {
  if (!context.settings.config.context.autoSave || isNoProject(context.project.dir))
    return undefined;
  const input = hookInput(args);
  const event = text(input.hook_event_name);
  if (event === undefined) {
    context.log.debug('ben10_record was called without hook_event_name');
    return undefined;
  }
  const { project } = context;
  const seen = observeHook(event, input, project.ports.clock.now());
  const { recorder } = context;
  const named = seen && withName(seen, project, recorder, context);
  return named && recorder.event(named, 'mcp-hook');
}

function withName(
  seen: Observation,
  { states }: Project,
  recorder: Recorder,
  { group }: ServerContext,
): Observation | undefined {
  if (!NAMED_BY_ORDER.has(seen.type)) return seen;
  group.flush();
  const { state } = states.at(cursors, seen.session);
  return nameByOrder(seen, state, (text) => recorder.kept(text));
}

/** Warns once, until a write succeeds; without the event's content, which may be secret. */
function complain(error: unknown, context: ServerContext): void {
  const { code, message } = error as { code?: string; message?: string };
  const first = String(message).split('\n', 1)[0]!.slice(0, 300);
  const line = `this event was not recorded: ${code ?? errno(error) ?? 'error'}: ${first}`;
  if (context.readOnly) context.log.debug(line);
  else context.log.warn(line);
  context.readOnly = true;
  // The folder may have been replaced.
  context.reopen();
}
