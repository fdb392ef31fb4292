import { expect, it } from 'vitest';
import { wordsOf } from '../../src/search/analyze.ts';
import { IndexBuilder } from '../../src/search/index-build.ts';
import { openIndex } from '../../src/search/index-read.ts';
import { rank } from '../../src/search/rank.ts';
import { realPorts } from '../support.ts';

/** The texts in the order in which a query finds them. */
function found(texts: readonly string[], query: string): (string | undefined)[] {
  const builder = new IndexBuilder();
  for (const [at, body] of texts.entries())
    builder.add({
      seq: at + 1,
      session: `session-${at}`,
      at: 0,
      kind: 'answer',
      basis: 'agent',
      texts: { body },
    });
  const chain = Buffer.alloc(32);
  const range = { firstSeq: 1, lastSeq: texts.length, chainBefore: chain, chainAt: chain };
  const file = openIndex(builder.finish({ ...range, erasureEpoch: 0 }), realPorts.xxh64)!;
  const should = wordsOf(query).flatMap(({ terms }) => terms);
  const { hits } = rank([file], { should, must: [], not: [], limit: 10 });
  return hits.map(({ seq }) => texts[seq - 1]);
}

it('common words tell apart what is alike otherwise', () => {
  const texts = ['Now run each test', 'Let me run all of the tests now', 'Each test is run'];
  expect(found(texts, 'let me run all tests')[0]).toBe('Let me run all of the tests now');
});

it('one telling word counts more than several common ones', () => {
  const common = ['What did you do about it', 'What did it do', 'Why did you do what it did'];
  expect(found([...common, 'A slow parser'], 'what did you do about the parser')[0]).toBe(
    'A slow parser',
  );
});

it('a query of common words alone finds where they stand', () => {
  expect(found(['Let me do that', 'Parser'], 'let me')).toEqual(['Let me do that']);
});

it('regular forms of a word find each other', () => {
  const text = 'We changed a queue because writers failed too often';
  for (const query of ['changing', 'changes', 'failing', 'writer', 'queues'])
    expect(found([text, 'Something else'], query)).toEqual([text]);
});

it('common words beside a telling one find nothing by themselves', () => {
  const texts = ['What did you do about it', 'A slow parser'];
  expect(found(texts, 'what about the parser')).toEqual(['A slow parser']);
  expect(found(texts, 'what about the zebra')).toEqual([]);
});
