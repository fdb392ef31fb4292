import { describe, expect, it } from 'vitest';
import { fromArguments } from '../../../src/platform/config/arguments.ts';
import { checkValue } from '../../../src/platform/config/check.ts';
import { composeConfig } from '../../../src/platform/config/compose.ts';
import { CONFIG_DOCS } from '../../../src/platform/config/docs.ts';
import {
  type Ben10Config,
  CONFIG_KEYS,
  RECALL_CHARS_MAX,
  RECALL_CHARS_MIN,
} from '../../../src/platform/config/keys.ts';

const DEFAULTS: Ben10Config = {
  context: {
    autoSave: true,
    autoRestore: true,
    checkpointInterval: 10,
    storageLocation: '.ben10',
    maxStorageMb: 100,
    historyRetentionCount: 5,
    checkpointRetentionDays: 7,
    compactionSnapshots: {
      enabled: true,
      retentionCount: 5,
      retentionDays: 30,
      maxStorageMb: 500,
      compressionLevel: 19,
    },
    excludePatterns: ['*.log', 'node_modules/**', '.env*'],
    sensitiveRedaction: true,
  },
  redaction: { patterns: [], allow: [] },
  recall: {
    maxChars: 9_000,
    steering: true,
    notice: true,
  },
  mcp: { logLevel: 'info', profile: ['core'] },
  journal: { segmentBytes: 8_388_608 },
  workspace: {
    project: { name: '', type: '' },
    scripts: { entryPoint: '', configDir: '', configPattern: '*.conf' },
    containers: { runtime: 'auto' },
    hints: { default: '' },
    history: { enabled: true, patterns: [], maxEntries: 10 },
    git: { enabled: true },
    watch: true,
  },
  usage: { prices: [] },
  packs: {
    budgetTokens: 60_000,
    tokenizer: 'cl100k',
    keep: 20,
    keepDays: 30,
    maxStorageMb: 100,
    deny: [],
    commandTimeoutS: 60,
  },
  monitor: {
    levels: { l1: 70, l2: 85, l3: 95 },
    window: 0,
    compactAt: 'auto',
    wip: 'branch',
    issuePattern:
      '\\b(?!(?:UTF|ISO|IEC|IEEE|RFC|PEP|CVE|CWE|SHA|MD|AES|RSA|GPT|ES|UTC|GMT|COVID)-)[A-Z][A-Z0-9]{1,9}-[0-9]{1,6}\\b',
    stopHintAt: 50,
    budgetUsd: 0,
  },
  handoff: { commit: false },
  tracker: { kind: 'none', send: 'document', label: 'context-checkpointed', linear: { state: '' } },
  retention: { events: 'never' },
};

describe('the table of settings', () => {
  it('gives the documented defaults when no layer says anything', () => {
    expect(composeConfig([])).toEqual(DEFAULTS);
  });

  it('has a sound default, a sentence of documentation and one name for every setting', () => {
    for (const key of CONFIG_KEYS) {
      expect(checkValue(key, key.default), key.name).toEqual([]);
      expect(CONFIG_DOCS[key.name]?.doc, key.name).toMatch(/^[A-Z].*\.$/);
      expect(key.name).toMatch(/^[a-z]+(\.[a-z][A-Za-z0-9]+)+$/);
      expect(key.env).toMatch(/^BEN10_[A-Z0-9_]+$/);
    }
    const names = CONFIG_KEYS.map((key) => key.name);
    expect(new Set(names).size).toBe(names.length);
    expect(Object.keys(CONFIG_DOCS).sort()).toEqual([...names].sort());
    const variables = CONFIG_KEYS.map((key) => key.env);
    expect(new Set(variables).size).toBe(variables.length);
  });

  it("never hands out the table's own lists", () => {
    composeConfig([]).redaction.allow.push('x');
    composeConfig([]).context.excludePatterns.push('x');
    expect(composeConfig([])).toEqual(DEFAULTS);
  });

  it('has an example of each setting that the setting takes', () => {
    for (const key of CONFIG_KEYS) {
      const value = fromArguments(key, CONFIG_DOCS[key.name]!.example.split(' '));
      expect(checkValue(key, value), key.name).toEqual([]);
      expect(value, key.name).not.toEqual(key.default);
    }
  });

  it('lets a higher layer replace the patterns of files', () => {
    const name = 'context.excludePatterns';
    const layers = [new Map([[name, ['a']]]), new Map([[name, ['b']]])];
    expect(composeConfig(layers).context.excludePatterns).toEqual(['b']);
    expect(composeConfig([new Map([[name, []]])]).context.excludePatterns).toEqual([]);
  });

  it('lets a higher layer replace a value, and adds rules and allowed texts up', () => {
    const low = new Map<string, unknown>([
      ['recall.maxChars', 600],
      ['redaction.allow', ['a', 'b']],
      [
        'redaction.patterns',
        [
          { id: 'MINE', pattern: 'x' },
          { id: 'BOTH', pattern: 'old' },
        ],
      ],
    ]);
    const high = new Map<string, unknown>([
      ['recall.maxChars', 700],
      ['redaction.allow', ['b', 'c']],
      ['redaction.patterns', [{ id: 'BOTH', pattern: 'new' }]],
    ]);
    const config = composeConfig([low, high]);
    expect(config.recall.maxChars).toBe(700);
    expect(config.redaction.allow).toEqual(['a', 'b', 'c']);
    expect(config.redaction.patterns).toEqual([
      { id: 'MINE', pattern: 'x' },
      { id: 'BOTH', pattern: 'new' },
    ]);
  });

  it("keeps what is given back under the client's cap of 10,000 characters", () => {
    expect(RECALL_CHARS_MAX).toBe(9_500);
    expect(RECALL_CHARS_MIN).toBeLessThan(DEFAULTS.recall.maxChars);
  });
});
