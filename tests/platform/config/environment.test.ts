import { describe, expect, it } from 'vitest';
import { environmentLayer } from '../../../src/platform/config/environment.ts';

describe('variables', () => {
  it('are read as the type of their setting', () => {
    const { values, problems } = environmentLayer({
      BEN10_CONTEXT_AUTO_SAVE: '0',
      BEN10_CONTEXT_AUTO_RESTORE: 'true',
      BEN10_RECALL_MAX_CHARS: '700',
      BEN10_LOG_LEVEL: 'debug',
      BEN10_RETENTION_EVENTS: '30d',
    });
    expect(problems).toEqual([]);
    expect(Object.fromEntries(values)).toEqual({
      'context.autoSave': false,
      'context.autoRestore': true,
      'recall.maxChars': 700,
      'mcp.logLevel': 'debug',
      'retention.events': '30d',
    });
  });

  it('that are empty or none of ours say nothing', () => {
    const { values, problems } = environmentLayer({ BEN10_LOG_LEVEL: '', BEN10_OTHER: 'x' });
    expect([values.size, problems]).toEqual([0, []]);
  });

  it('that are wrong are named with their setting', () => {
    const { problems } = environmentLayer({ BEN10_RECALL_MAX_CHARS: '9501', BEN10_PROFILE: 'x' });
    expect(problems).toEqual([
      {
        path: 'BEN10_RECALL_MAX_CHARS',
        message:
          'BEN10_RECALL_MAX_CHARS sets recall.maxChars: expected a whole number of characters from 500 to 9500, found the number 9501',
      },
      {
        path: 'BEN10_PROFILE',
        message:
          'BEN10_PROFILE sets mcp.profile: expected one of core, packs, monitor, all, or a list of them, found the text "x"',
      },
    ]);
  });
});
