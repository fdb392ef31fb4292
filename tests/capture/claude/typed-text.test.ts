import { expect, test } from 'vitest';
import { typedText } from '../../../src/capture/claude/typed-text.ts';

const text = (said: unknown) => ({ type: 'text', text: said });
const image = (media: unknown, data?: unknown) => ({
  type: 'image',
  source: { type: 'base64', media_type: media, data },
});

test('what a user typed is a string, or the texts of blocks that are not the client’s own', () => {
  expect(typedText('Go.')).toBe('Go.');
  expect(typedText('<bash-input>ls</bash-input>')).toBe('');
  expect(typedText([text('a'), text(''), text(5), text('b')])).toBe('a\nb');
  const own = text('  <system-reminder>x</system-reminder>');
  expect(typedText([own, text('a'), own])).toBe('a');
  expect(typedText([own])).toBe('');
});

test('a message of files alone is told by what is known of them', () => {
  expect(typedText([image('image/png', 'AAAAAA==')])).toBe('[image: image/png, 4 bytes]');
  expect(
    typedText([{ type: 'document', source: { media_type: 'application/pdf' } }, image(1)]),
  ).toBe('[document: application/pdf]\n[image]');
  expect(typedText([image('text/html"><b>', 'AAAA')])).toBe('[image: 3 bytes]');
  expect(typedText([{ type: 'image', source: 'x' }, { type: 'image' }])).toBe('[image]\n[image]');
  expect(typedText([text('<system-reminder>x'), image('image/gif')])).toBe('[image: image/gif]');
  expect(typedText([image('image/png', 'AAAA'), text('Look.')])).toBe('Look.');
});

test('anything else is nothing', () => {
  for (const content of [undefined, null, 5, {}, [], [null, 'x', 5], [{ type: 'tool_result' }]]) {
    expect(typedText(content)).toBe('');
  }
});
