import { describe, expect, test } from 'vitest';
import { HookFacts } from '../../src/capture/known.ts';
import { type Observation, observation } from '../../src/capture/observation.ts';
import { cursors, type Seen, textMark } from '../../src/projections/folds/cursors.ts';

const prompt = (text: string, promptId?: string, at = 10): Observation =>
  observation(
    'prompt.submitted',
    'x',
    { session: 's', agent: null, at },
    {
      text,
      ...(promptId && { promptId }),
    },
  );
const call = observation(
  'tool.called',
  'x',
  { session: 's', agent: null, at: 10 },
  {
    toolUseId: 't',
    name: 'Bash',
    input: null,
  },
);

function told(...prompts: (Partial<Seen> & { id: string; text: string })[]): HookFacts {
  const untraced = Object.fromEntries(prompts.map(({ id }) => [id, 'prompt.submitted']));
  const seen = prompts.map(({ text, ...one }) => ({
    promptId: '',
    traced: false,
    byHook: true,
    forkedAt: null,
    mark: textMark(text),
    ...one,
  }));
  const state = { ...cursors.initial(), untraced, prompts: seen };
  return new HookFacts(state, (text) => (text === 'secret' ? '[kept]' : text));
}

describe('a fact that a transcript tells', () => {
  test('is known by its name', () => {
    expect(
      told({ id: 'aa', text: 'One.', promptId: 'p1' }).find(prompt('Other.', 'p1'), 'aa'),
    ).toBe('aa');
  });

  test('is new when no hook told it', () => {
    expect(told().find(call, 'bb')).toBeUndefined();
    expect(
      told({ id: 'aa', text: 'One.', promptId: 'p1' }).find(prompt('One.', 'p1'), 'bb'),
    ).toBeUndefined();
  });

  test('is known once only', () => {
    const hooks = told({ id: 'aa', text: 'One.' });
    hooks.settle('aa');
    expect(hooks.find(prompt('One.'), 'aa')).toBeUndefined();
  });
});

describe('a prompt that a hook could not name', () => {
  test('is found by its words', () => {
    const hooks = told({ id: 'aa', text: 'One.' }, { id: 'bb', text: 'Two.' });
    expect(hooks.find(prompt('Two.'), 'xx')).toBe('bb');
  });

  test('is found by its words as they were kept', () => {
    const hooks = told({ id: 'aa', text: 'One.' }, { id: 'bb', text: '[kept]' });
    expect(hooks.find(prompt('secret'), 'xx')).toBe('bb');
  });

  test('is found by its turn when the words are not quite the same', () => {
    const hooks = told({ id: 'aa', text: 'One.' }, { id: 'bb', text: 'Two.' });
    expect(hooks.find(prompt('One, with a picture.', 'p1'), 'xx')).toBe('aa');
  });

  test('is found in a transcript without prompt ids though its hook had one', () => {
    expect(told({ id: 'aa', text: 'One.', promptId: 'p1' }).find(prompt('One.'), 'xx')).toBe('aa');
  });

  test('is not mistaken for one that was found', () => {
    const hooks = told({ id: 'aa', text: 'Go on.' }, { id: 'bb', text: 'Go on.' });
    expect(hooks.find(prompt('Go on.'), 'xx')).toBe('aa');
    hooks.settle('aa');
    expect(hooks.find(prompt('Go on.'), 'yy')).toBe('bb');
  });
});

describe('the first prompt of a fork', () => {
  const fork = { id: 'aa', text: 'And here?', promptId: 'p9', forkedAt: 100 };

  test('is found by its words, and by its time', () => {
    expect(told(fork).find(prompt('And here?', 'p9', 50), 'xx')).toBe('aa');
    expect(told(fork).find(prompt('And here, with a picture?', 'p9', 100), 'xx')).toBe('aa');
  });

  test('is not a copy of an older one', () => {
    expect(told(fork).find(prompt('What is this?', 'p9', 99), 'xx')).toBeUndefined();
    expect(told(fork).find(prompt('And here?', 'p8', 200), 'xx')).toBeUndefined();
  });
});

test('whether words are the same is known of prompts and compactions that a hook told', () => {
  const hooks = told({ id: 'aa', text: '[kept]' });
  expect(hooks.saysTheSame(prompt('secret'), 'aa')).toBe(true);
  expect(hooks.saysTheSame(prompt('other'), 'aa')).toBe(false);
  expect(hooks.saysTheSame(prompt('secret'), 'bb')).toBe(false);
  expect(hooks.saysTheSame(call, 'aa')).toBe(false);
});
