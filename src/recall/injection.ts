import type { NewEvent } from '../journal/append/inbox.ts';
import type { HookMoment, Injection } from '../project/doors.ts';
import type { Project } from '../project/open.ts';
import type { ContextState } from '../projections/folds/context.ts';
import type { ChangedOnDisk, Item } from './item.ts';
import { didNotLand, wasShown } from './landed.ts';
import { bringsBack } from './moment.ts';
import { RECALL_SOURCES, type RecallSource, recallText } from './recall.ts';
import { steeringText } from './steering.ts';

/** Known files that the disk has otherwise; of the session alone, or of the others at work as well. */
export type LookOnDisk = (
  project: Project,
  state: ContextState,
  session: string,
  isAlone: boolean,
) => ChangedOnDisk[];

/** Gives back what was said and done. Takes the room that the others leave. */
export const recallInjection = (lookOnDisk: LookOnDisk): Injection => ({
  on: ['SessionStart', 'UserPromptSubmit'],
  worth: 1,
  failed: 'nothing was given back of the sessions before',
  render(project, moment, { used }) {
    const { session, transcript, config } = moment;
    const source = sourceOf(moment);
    if (source === undefined) return undefined;
    const isAlone = bringsBack(source);
    const recall = recallText(project, {
      source,
      session,
      didNotLand: () => didNotLand(transcript),
      wasShown: () => wasShown(transcript),
      maxChars: config.recall.maxChars,

      beside: used,
      // Of a transcript that was not read to its end nobody knows which files the disk has otherwise.
      onDisk: (state) =>
        isAlone && !moment.read.isWhole ? [] : lookOnDisk(project, state, session, isAlone),
    });
    const { text, chars, items, owed } = recall;
    if (text === '' && !owed) return undefined;
    return { text, told: told(project, moment, source, chars, items) };
  },
});

/** What a compaction's summary is told to carry word for word. */
export const steering: Injection = {
  on: ['PreCompact'],
  worth: 1,
  failed: 'the compaction was not told what to keep',
  render(project, moment) {
    const { recall } = moment.config;
    if (!recall.steering) return undefined;
    const { text, items } = steeringText(project, moment.session);
    if (text === '') return undefined;
    // What was recorded before a rule was made does not get out, either.
    return {
      text: project.redact(text),
      told: told(project, moment, 'steering', text.length, items),
    };
  },
};

function told(
  { recorder }: Project,
  { event, session }: HookMoment,
  source: RecallSource | 'steering',
  chars: number,
  given: readonly Item[],
): NewEvent {
  const items = given.map(({ kind, seq, key }) => ({ kind, seq, key }));
  return recorder.ownEvent('recall.injected', session, { event, source, chars, items }, 'hook');
}

function sourceOf({ event, source }: HookMoment): RecallSource | undefined {
  if (event === 'UserPromptSubmit') return 'prompt';
  return RECALL_SOURCES.find((one) => one === source && one !== 'prompt');
}
