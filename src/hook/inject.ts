import { text } from '../capture/json.ts';
import { observation } from '../capture/observation.ts';
import type { Ben10Config } from '../platform/config/keys.ts';
import type { Project } from '../project/open.ts';
import { bringsBack } from '../recall/moment.ts';
import { RECALL_SOURCES, type RecallSource, recallText } from '../recall/recall.ts';
import { changedUnderneath, othersAtWork } from '../timetravel/changed-underneath.ts';
import { didNotLand, wasShown } from './landed.ts';
import { environmentText } from './workspace.ts';

type Input = Record<string, unknown>;

/** What goes to the model, in the client's own shape. */
export interface Injection {
  hookSpecificOutput: { hookEventName: string; additionalContext: string };
}

/**
 * The text that goes to the model, or nothing. That it was given is an event, by reference, before it is printed.
 * @param isWhole whether the session's transcript was read to its end: else nobody knows which of its files the disk has otherwise
 */
export function injection(
  project: Project,
  event: string,
  input: Input,
  session: string,
  { config, isWhole }: { config: Ben10Config; isWhole: boolean },
): Injection | undefined {
  if (!config.context.autoRestore) return undefined;
  const source = sourceOf(event, input);
  if (source === undefined) return undefined;
  const around = environmentText(project, event, input, session, config);
  const recall = recallText(project, {
    source,
    session,
    didNotLand: () => didNotLand(text(input.transcript_path)),
    wasShown: () => wasShown(text(input.transcript_path)),
    maxChars: config.recall.maxChars,
    beside: around.length,
    onDisk: (state) => {
      if (bringsBack(source)) return isWhole ? changedUnderneath(project, state) : [];
      return changedUnderneath(project, state, othersAtWork(project, session));
    },
  });
  const given = [recall.text, around].filter(Boolean).join('\n');
  if (recall.text === '' && !recall.owed) return answer(event, given);
  const where = { session, agent: null, at: project.ports.clock.now() };
  const items = recall.items.map(({ kind, seq, key }) => ({ kind, seq, key }));
  const seen = observation('recall.injected', null, where, {
    event,
    source,
    chars: recall.chars,
    items,
  });
  project.recorder.append([project.recorder.event(seen, 'hook')]);
  return answer(event, given);
}

const answer = (hookEventName: string, additionalContext: string): Injection | undefined =>
  additionalContext === ''
    ? undefined
    : { hookSpecificOutput: { hookEventName, additionalContext } };

function sourceOf(event: string, input: Input): RecallSource | undefined {
  if (event === 'UserPromptSubmit') return 'prompt';
  if (event !== 'SessionStart') return undefined;
  const said = text(input.source);
  return RECALL_SOURCES.find((one) => one === said && one !== 'prompt');
}
