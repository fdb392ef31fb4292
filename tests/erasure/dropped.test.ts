import { expect, test } from 'vitest';
import { erase } from '../../src/erasure/erase.ts';
import { parsePattern } from '../../src/erasure/pattern.ts';
import { verifyJournal } from '../../src/journal/verify.ts';
import { context } from '../../src/projections/folds/context.ts';
import { dropOld } from '../../src/timetravel/drop/drop.ts';
import { prompt } from '../log/events.ts';
import { decoders, openTestProject } from '../support.ts';
import { CANARY, canaries, codecs } from './support.ts';

const byText = { by: 'pattern', wanted: parsePattern(CANARY) } as const;

test.each([
  ['a small state', 3],
  ['a state that is kept beside the journal', 200],
])(
  'a secret is taken out of %s that stands for dropped events, and the rest of it stays',
  (_, count) => {
    const project = openTestProject();
    const filler = 'Never touch the generated files again, whatever happens. '.repeat(30);
    for (let n = 0; n < count; n += 1) project.writer.append([prompt(`${n}: ${filler}`)]);
    project.writer.append([prompt(`Never use ${CANARY} as a key.`)]);
    project.writer.rotate(0);
    project.writer.append([prompt('later', { session: 's2' })]);
    expect(dropOld(project, 0, codecs)!.events).toBe(count + 1);
    expect(canaries(project).length).toBeGreaterThan(0);
    const done = erase(project, byText, codecs);
    expect(done.left).toEqual([]);
    expect(canaries(project)).toEqual([]);
    const { state } = project.states.at(context, 's1');
    expect(state.conversation.messageCount).toBe(count + 1);
    expect(JSON.stringify(state)).toContain('REDACTED');
    expect(verifyJournal(project.ports, project.root, decoders).damage).toEqual([]);
  },
);
