import { describe, expect, it } from 'vitest';
import { observeHook } from '../../src/capture/claude/hooks.ts';
import { nameByOrder } from '../../src/capture/naming.ts';
import type { Project } from '../../src/project/open.ts';
import { type ContextState, context } from '../../src/projections/folds/context.ts';
import { cursors } from '../../src/projections/folds/cursors.ts';
import { type EvidenceState, evidence } from '../../src/projections/folds/evidence.ts';
import { findName } from '../../src/projections/folds/evidence-names.ts';
import { recallText } from '../../src/recall/recall.ts';
import { Script } from '../capture/support/script.ts';
import { openTestProject } from '../support.ts';
import { importRecords } from '../tell.ts';

const PROMPT = 'Make the parser of lib/orders/parse.rb faster.';
const LAST = `Decision: we keep the StringScanner, because Ripper needs 418 ms for the same file.

The parser takes 73 ms now, of 1,904 ms.`;
/** Of the second record of a transcript; hooks come later than what they tell of. */
const SAID_AT = Date.UTC(2026, 10, 21, 9, 0, 2);

/** A session that is told by hooks and by its transcript, in any order. */
class Told {
  readonly project: Project = openTestProject();

  hook(event: string, input: object, at = SAID_AT + 300): this {
    const { recorder, states } = this.project;
    const seen = observeHook(event, { session_id: 's', ...input }, at)!;
    const named = nameByOrder(seen, states.at(cursors, 's').state, (text) => text)!;
    recorder.append([recorder.event(named, 'hook')]);
    return this;
  }

  stops(text = LAST, at?: number): this {
    return this.hook('Stop', { last_assistant_message: text }, at);
  }

  asks(at = SAID_AT - 1000): this {
    return this.hook('UserPromptSubmit', { prompt: PROMPT, prompt_id: 'p1', cwd: '/app' }, at);
  }

  imports(...texts: string[]): this {
    const script = new Script();
    const records = [script.prompt(PROMPT, 'p1'), ...texts.map((text) => script.says(text))];
    importRecords(this.project, records);
    return this;
  }

  get context(): ContextState {
    return this.project.states.at(context, 's').state;
  }

  get evidence(): EvidenceState {
    return this.project.states.at(evidence, 's').state;
  }

  get said(): string[] {
    const { messages } = this.context.conversation;
    return messages.flatMap(({ role, content }) => (role === 'assistant' ? [content] : []));
  }

  get text(): string {
    return recallText(this.project, { source: 'compact', session: 's' }).text;
  }
}

/** Everything but by which events it was told. */
function knownOf({ context: own, evidence: known }: Told): object {
  const { messages, messageCount } = own.conversation;
  return {
    messages: messages.map(({ role, content, timestamp, pos }) => [role, content, timestamp, pos]),
    messageCount,
    decisions: own.decisions.map(({ text }) => text),
    notes: known.notes.map(({ kind, text, weight, tick }) => [kind, text, weight, tick]),
    tick: known.tick,
    uses: ['418', '1,904', 'lib/orders/parse.rb'].map((name) => findName(known.names, name)?.uses),
  };
}

describe('what the end of a turn alone tells', () => {
  it('is a message: its decision with the reason and its figures are given back', () => {
    const told = new Told().asks().stops();
    expect(told.said).toEqual([LAST]);
    expect(told.text).toContain(
      'Decision: we keep the StringScanner, because Ripper needs 418 ms for the same file',
    );
    expect(told.text).toContain('The parser takes 73 ms now, of 1,904 ms');
    expect(told.context.decisions).toHaveLength(1);
  });

  it('counts once where the client tells it twice, and again in the next turn', () => {
    const told = new Told()
      .asks()
      .stops('Done.')
      .stops('Done.', SAID_AT + 400);
    expect(told.said).toEqual(['Done.']);
    told.hook('UserPromptSubmit', { prompt: 'And the writer.', prompt_id: 'p2' }, SAID_AT + 500);
    expect(told.stops('Done.', SAID_AT + 600).said).toEqual(['Done.', 'Done.']);
  });

  it('is nothing that was said where the client speaks of its own failure', () => {
    const failure = { error: 'overloaded', last_assistant_message: 'API Error: 529 Overloaded' };
    const told = new Told().asks().hook('StopFailure', failure);
    expect(told.said).toEqual([]);
    expect(told.evidence.tick).toBe(1);
  });
});

describe('what the end of a turn and the transcript tell', () => {
  const alone = () => knownOf(new Told().imports(LAST));

  it('counts once, whichever of them arrives first', () => {
    expect(knownOf(new Told().stops().imports(LAST))).toEqual(alone());
    expect(knownOf(new Told().imports(LAST).stops())).toEqual(alone());
    expect(knownOf(new Told().asks().stops().imports(LAST).imports(LAST))).toEqual(alone());
  });

  it('counts once and has its place where the hook says that it was earlier', () => {
    expect(knownOf(new Told().stops(LAST, SAID_AT - 500).imports(LAST))).toEqual(alone());
  });

  it('counts once where the hook comes late or twice', () => {
    const [one, two] = ['I have looked.', LAST];
    const told = new Told()
      .imports(one, two)
      .stops(one, SAID_AT + 5000)
      .stops(one)
      .stops(two);
    expect(told.said).toEqual([one, two]);
    expect(knownOf(told)).toEqual(knownOf(new Told().imports(one, two)));
  });

  it('says nothing new of when the session was used last', () => {
    const told = new Told().imports(LAST).stops(LAST, SAID_AT + 60_000);
    expect(told.context.updatedAt).toBe(SAID_AT);
  });
});

it('what a sub-agent ends with is given back line by line, and once where its task’s answer tells it, too', () => {
  const report = 'Two things.\n- lib/orders/parse.rb:31 reads the file twice\nAll else is fine.';
  const agent = { agent_id: 'a1', agent_type: 'Explore' };
  const found = 'lib/orders/parse.rb:31 reads the file twice';
  const stopped = { ...agent, last_assistant_message: report };
  const told = new Told().asks().hook('SubagentStop', stopped);
  const notesOf = () => told.evidence.notes.filter(({ kind }) => kind === 'reported');
  expect(notesOf().map(({ text }) => text)).toEqual([found]);
  expect(told.text).toMatch(new RegExp(`^@\\d+ ${found}$`, 'm'));
  const task = { tool_use_id: 't1', tool_name: 'Task' };
  told.hook('PreToolUse', { ...task, tool_input: { prompt: 'look' } });
  told.hook('PostToolUse', { ...task, tool_response: [{ type: 'text', text: report }] });
  expect(notesOf().map(({ text }) => text)).toEqual([found]);
});
