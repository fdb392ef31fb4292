import { describe, expect, it } from 'vitest';
import {
  LENGTH_MAX,
  OPEN_MAX,
  WAYS_MAX,
  whyRefused,
} from '../../../src/capture/redaction/vet-pattern.ts';

const search = (source: string, flags = '') => whyRefused(source, flags);
const whole = (source: string) => whyRefused(source, '', true);

describe('patterns that are searched for', () => {
  it.each([
    'acme-[0-9a-f]{32}',
    'acme_[A-Za-z0-9]+',
    'acme_[A-Za-z0-9]{20,}',
    '(?:live|test)_\\w+',
    '(?:a-\\w+|b-\\d+)',
    '(?<=token=)\\S+',
    '(?<name>x)-\\d{1,20}',
    '\\bEMP\\d{6}\\b',
    '[\\]*+](?!y)z?',
    '[a-z]{1,16}-[a-z]{1,16}',
    'a{2}b{,3}{',
    '(?:[A-Z]{4}-){4}',
    '.+?',
    'x(?:-\\w+)?',
    'acme-[a-z]+-[0-9]{6}',
    'acme-[a-z]+-[a-z]+-x',
    '(?:key|token):\\w*!',
    'a-(?:b-\\w+)?!',
  ])('take %s', (source) => {
    expect(new RegExp(source)).toBeInstanceOf(RegExp);
    expect(search(source)).toBeUndefined();
  });

  it.each([
    ['(a+)+', /is repeated/],
    ['(?:a*)*b', /is repeated/],
    ['(a|aa)+', /several ways/],
    ['(?:a|b)*', /several ways/],
    ['(x?)+', /several ways/],
    ['(?:a{1,2})*', /several ways/],
    ['a+b', /before its end/],
    ['.*x', /before its end/],
    ['\\s+$', /before its end/],
    ['acme[a-z]+-[0-9]{6}', /before its end/],
    ['x-[a-z-]+!', /before its end/],
    ['a-[b-y]+[c-z]+!', /before its end/],
    ['-?[a-z]+!', /before its end/],
    ['A-.+!', /before its end/],
    ['(?:-\\w+){1,9}!', /is repeated/],
    ['\\x61+b', /before its end/],
    ['\\u0061+b', /before its end/],
    ['\\cA+b', /before its end/],
    ['\\01+b', /before its end/],
    ['(?=-\\w+!)y', /lookaround/],
    ['(?:a+|b)c', /before its end/],
    ['[a-z]{3,}-', /before its end/],
    ['(?=.*x)y', /before its end/],
    ['(?=\\w+)y', /lookaround/],
    ['(?<!\\w+)y', /lookaround/],
    ['(a)\\1', /back reference/],
    ['(?<n>a)\\k<n>', /back reference/],
    ['(?:a|b){1,30}', /ways/],
    ['(?:a?){20}', /ways/],
    ['(?:a{999}){999}', /longer/],
  ])('refuse %s', (source, why) => {
    expect(search(source)).toMatch(why);
  });

  it('may match in so many ways and no more', () => {
    expect(search(`a{0,${WAYS_MAX - 1}}b`)).toBeUndefined();
    expect(search(`a{0,${WAYS_MAX}}b`)).toMatch(/ways/);
  });

  it('may be so long and no longer', () => {
    expect(search(`a{${LENGTH_MAX}}`)).toBeUndefined();
    expect(search(`a{${LENGTH_MAX + 1}}`)).toMatch(/longer/);
  });

  it('are read with the u flag as that flag means them', () => {
    expect(search('\\p{Lu}\\u{61}x', 'u')).toBeUndefined();
    expect(search('\\u{500}', '')).toMatch(/longer/);
    for (const one of ['\u{1f600}', '\\ud83d\\ude00', '\\u{1f600}'])
      expect(search(`${one}+b`, 'u')).toMatch(/before its end/);
  });

  it('refuse kinds of groups that are not known', () => {
    expect(search('(?i:a)')).toMatch(/not supported/);
  });
});

describe('patterns that are compared with a whole text', () => {
  it('may have some repetitions without an upper bound anywhere', () => {
    expect(whole('.*EXAMPLE')).toBeUndefined();
    expect(whole('a+b'.repeat(OPEN_MAX))).toBeUndefined();
    expect(whole('a+b'.repeat(OPEN_MAX + 1))).toMatch(/more than/);
  });

  it('are refused like others when repetitions are nested', () => {
    expect(whole('(a+)+')).toMatch(/repeated/);
    expect(whole('(a|aa)+b')).toMatch(/several ways/);
  });
});

describe('the rule', () => {
  /** The worst texts for what a careless rule would let through: nearly matching, everywhere. */
  const SOURCES = [
    '[a-z]{1,16}-[a-z]{1,16}x',
    'a{0,255}b',
    '(?:a|b|ab){5}c',
    '\\w{255}!',
    'a\\w+',
    '-[a-z]+-[a-z]+x',
    '@[a-z-]+-[a-z@]+!',
    '-[a-z]+[a-z]{0,200}!',
  ];

  it.each(SOURCES)('lets nothing through that hangs: %s', (source) => {
    expect(search(source)).toBeUndefined();
    const pattern = new RegExp(source, 'g');
    const started = performance.now();
    for (const text of ['a', 'ab', 'a-', '@a-'].map((unit) => unit.repeat(50_000)))
      text.replace(pattern, '');
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
