import { describe, expect, it } from 'vitest';
import { CATALOGUE } from '../../src/events/catalogue.ts';
import { EVENT_TYPES, expandTypes } from '../../src/log/typed.ts';

describe('types of events as people type them', () => {
  it('are whole names, or families, with or without their dot or a star', () => {
    expect(expandTypes(['tool.failed'])).toEqual(['tool.failed']);
    const family = ['tool.called', 'tool.succeeded', 'tool.failed'];
    expect(expandTypes(['tool.'])).toEqual(family);
    expect(expandTypes(['tool.*'])).toEqual(family);
    expect(expandTypes(['tool'])).toEqual(family);
  });

  it('add up, each type once', () => {
    expect(expandTypes(['tool.failed', 'tool.', 'turn.'])).toEqual([
      'tool.failed',
      'tool.called',
      'tool.succeeded',
      'turn.ended',
    ]);
    expect(expandTypes([])).toEqual([]);
  });

  it('include every type of the catalogue and what the journal writes about itself', () => {
    expect(EVENT_TYPES).toEqual(expect.arrayContaining(Object.keys(CATALOGUE)));
    expect(expandTypes(['journal.repaired'])).toEqual(['journal.repaired']);
  });

  it('are refused with the nearest name when they are none', () => {
    expect(() => expandTypes(['tool.faild'])).toThrow('the nearest is "tool.failed"');
    expect(() => expandTypes(['tol.'])).toThrow('the nearest is "tool"');
    expect(() => expandTypes(['tol'])).toThrow('the nearest is "tool"');
    expect(() => expandTypes(['xyz'])).toThrow('there is no event type "xyz"');
    expect(() => expandTypes(['xyz'])).not.toThrow('nearest');
    expect(() => expandTypes(['*'])).toThrow(expect.objectContaining({ code: 'USAGE' }));
    expect(() => expandTypes([''])).toThrow(expect.objectContaining({ code: 'USAGE' }));
  });
});
