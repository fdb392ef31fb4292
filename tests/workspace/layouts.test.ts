import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/projections/bounds.ts';
import type { DevContext } from '../../src/workspace/context.ts';
import { LEVELS, renderContext } from '../../src/workspace/layouts/index.ts';

const NOW = Date.parse('2026-02-27T12:00:00Z');

/** What the seed's samples show. */
const SAMPLE: DevContext = {
  project: { name: 'My Project', type: 'aosp', entryPoint: '' },
  hint: 'Build commands must run inside container.',
  work: {
    task: 'Implementing feature X',
    saidAt: NOW,
    files: ['src/main.rs', 'src/lib.rs'],
    notes: '',
    todos: [],
  },
  targets: [
    {
      name: 'emu',
      description: 'Android Emulator',
      container: 'aosp-build',
      lunch: 'sdk_car_dev-userdebug',
      emulator: true,
      flash: false,
    },
  ],
  containers: [
    { name: 'aosp-build', image: 'i', state: 'running', status: 'Up 3 hours', runtime: 'podman' },
    {
      name: 'old',
      image: 'i',
      state: 'exited',
      status: 'Exited (0) 2 days ago',
      runtime: 'podman',
    },
  ],
  repositories: [
    {
      name: 'project',
      kind: 'repository',
      branch: 'main',
      ahead: 0,
      behind: 0,
      changes: '2M',
      commit: 'abc1234 First (2 days ago)',
    },
    {
      name: 'lib',
      kind: 'submodule',
      branch: 'main',
      ahead: 0,
      behind: 0,
      changes: '',
      commit: 'def5678 Lib (3 days ago)',
    },
  ],
  commands: [
    { at: NOW - 5_400_000, command: 'lunch sdk_car_dev-trunk_staging-userdebug', outcome: '' },
  ],
  devices: [{ serial: 'ABC123', state: 'device', type: 'adb' }],
  scripts: [],
  servers: [],
  tools: [],
  changes: [],
};

describe('the three layouts', () => {
  it('minimal is word for word the sample of ContextKeeper', () => {
    expect(renderContext(SAMPLE, 'minimal', NOW)).toBe(`# Context Recovery (Minimal)

**Hint:** Build commands must run inside container.
**Task:** Implementing feature X
**Files:** src/main.rs, src/lib.rs
**Changed repos:** project (2M)
**Device:** ABC123 (adb)

---
*Run \`get_dev_context\` with level="normal" for more details.*`);
  });

  it('normal is word for word the sample of ContextKeeper', () => {
    expect(renderContext(SAMPLE, 'normal', NOW)).toBe(`# Development Context

## Saved Work State
- **Task:** Implementing feature X
- **Working files:** src/main.rs, src/lib.rs

## AI Hints
> Build commands must run inside container.

## Git Status (changes only)
| Repository | Branch | Status |
|------------|--------|--------|
| project | main | 2M |

## Active Containers
- aosp-build (Up 3 hours)`);
  });

  it('full has the sections of the sample of ContextKeeper, in their order', () => {
    expect(renderContext(SAMPLE, 'full', NOW)).toBe(`# Development Context (Full)

## Project
- **Name:** My Project
- **Type:** aosp

## Saved Work State
- **Task:** Implementing feature X
- **Working files:** src/main.rs, src/lib.rs

## AI Hints (Important)
> Build commands must run inside container.

## Available Build Targets
| Target | Description | Container | Lunch Target |
|--------|-------------|-----------|--------------|
| emu | Android Emulator [emulator] | aosp-build | sdk_car_dev-userdebug |

## Active Containers
- aosp-build (Up 3 hours)

## Recent Relevant Commands
| Time | Command |
|------|---------|
| 10:30 | \`lunch sdk_car_dev-trunk_staging-userdebug\` |

## Git Status
| Repository | Branch | Status | Last Commit |
|------------|--------|--------|-------------|
| project | main | 2M | abc1234 First (2 days ago) |
| lib (submodule) | main | clean | def5678 Lib (3 days ago) |

## Connected Devices
| Serial | State | Type |
|--------|-------|------|
| ABC123 | device | adb |`);
  });

  it('adds what is beyond Android behind what the samples have', () => {
    const more: DevContext = {
      ...SAMPLE,
      scripts: [
        { command: 'npm run dev', about: 'vite' },
        { command: 'make test', about: '' },
      ],
      servers: [{ port: 5173, program: 'node' }],
      tools: [{ name: 'node', version: '22.1.0' }],
      changes: [
        { kind: 'container', name: 'db', from: 'running', to: 'exited', at: NOW - 60_000, seq: 4 },
      ],
    };
    expect(renderContext(more, 'full', NOW).split('| ABC123 | device | adb |\n')[1]).toBe(`
## Scripts
- \`npm run dev\`: vite
- \`make test\`

## Dev Servers
- :5173 (node)

## Tool Versions
- node 22.1.0

## Changed Around the Project
- 11:59 container db: running → exited`);
  });

  it('shows a command as it is, whatever marks are in it', () => {
    const marked: DevContext = {
      ...SAMPLE,
      scripts: [{ command: 'npm run a` ## Rules', about: '' }],
      commands: [{ at: NOW, command: 'echo `date`', outcome: '' }],
    };
    const text = renderContext(marked, 'full', NOW);
    expect(text).toContain("- `npm run a' ## Rules`");
    expect(text).toContain("`echo 'date'`");
  });

  it('says how old a task is that was said long ago', () => {
    const old = { ...SAMPLE, work: { ...SAMPLE.work!, saidAt: NOW - 3 * 86_400_000 } };
    expect(renderContext(old, 'minimal', NOW)).toContain(
      '**Task:** Implementing feature X (said 3 days ago)',
    );
  });

  it('is short where nothing is known', () => {
    const project = { name: 'p', type: '', entryPoint: '' };
    const none: DevContext = {
      ...SAMPLE,
      project,
      hint: '',
      work: undefined,
      targets: [],
      containers: [],
      repositories: [],
      commands: [],
      devices: [],
    };
    expect(renderContext(none, 'normal', NOW)).toBe(
      '# Development Context\n\n*Nothing is known to be saved, changed or running here. The level "full" has what else there is.*',
    );
    expect(renderContext(none, 'full', NOW)).toBe(
      '# Development Context (Full)\n\n## Project\n- **Name:** p',
    );
  });
});

const LIMITS = { minimal: 200, normal: 400, full: 1000 };

describe('the size of a level', () => {
  const crowded = (n: number): DevContext => ({
    ...SAMPLE,
    work: {
      ...SAMPLE.work!,
      notes: 'a note that is not short at all',
      files: Array.from({ length: n }, (_, i) => `src/some/folder/file-${i}.ts`),
      todos: [
        ...Array.from({ length: n }, (_, i) => ({
          content: `done thing ${i}`,
          status: 'completed',
        })),
        { content: 'the open thing', status: 'in_progress' },
      ],
    },
    containers: Array.from({ length: n }, (_, i) => ({
      ...SAMPLE.containers[0]!,
      name: `container-${i}`,
    })),
    repositories: Array.from({ length: n }, (_, i) => ({
      ...SAMPLE.repositories[0]!,
      name: `repository-${i}`,
    })),
    commands: Array.from({ length: n }, (_, i) => ({
      at: NOW,
      command: `make target-${i}`,
      outcome: i % 2 === 0 ? '' : 'exit 1',
    })),
    scripts: Array.from({ length: n }, (_, i) => ({
      command: `npm run script-${i}`,
      about: 'does something',
    })),
  });

  it('is kept whatever there is to say', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 300 });
    fc.assert(
      fc.property(fc.nat(60), fc.constantFrom(...LEVELS), text, text, (n, level, hint, task) => {
        const given = crowded(n);
        const rendered = renderContext(
          { ...given, hint, work: { ...given.work!, task } },
          level,
          NOW,
        );
        expect(estimateTokens(rendered)).toBeLessThanOrEqual(LIMITS[level]);
      }),
      { numRuns: 60 },
    );
  });

  it('is kept by leaving out what matters least, and whole lines of it', () => {
    const text = renderContext(crowded(30), 'normal', NOW);
    expect(text).toContain('- **Task:** Implementing feature X\n');
    expect(text).toContain('> Build commands must run inside container.');
    expect(text).toContain('src/some/folder/file-0.ts');
    expect(text).not.toContain('src/some/folder/file-29.ts');
    expect(text).toContain('[~] the open thing');
    expect(text).not.toContain('done thing 29');
    // Every line that is there is whole, and what is not there is counted.
    for (const line of text.match(/^\| repository-.*$/gm) ?? [])
      expect(line).toMatch(/^\| repository-\d+ \| main \| 2M \|$/);
    expect(text).toMatch(/\+\d+ more/);
    expect(text).not.toContain('file-0…');
  });

  it('counts what has no room at all, section by section', () => {
    const long = 'a name that is long enough to fill all of a level by itself '.repeat(5).trim();
    const given: DevContext = {
      ...SAMPLE,
      work: { ...SAMPLE.work!, files: [], notes: `${long}.` },
      containers: [1, 2, 3].map((n) => ({ ...SAMPLE.containers[0]!, name: `${long} ${n}` })),
      repositories: [{ ...SAMPLE.repositories[0]!, name: `${long}${long}${long}${long}` }],
    };
    const text = renderContext(given, 'normal', NOW);
    expect(text).not.toContain('## Git Status');
    expect(text.split('\n').at(-1)).toBe(
      '*… and 1 sentence of notes, 1 changed repository, 3 containers: no room for them here.*',
    );
    const minimal = renderContext(given, 'minimal', NOW);
    expect(minimal).toMatch(/\*… and 1 changed repo.*: no room for them here\.\*\n\n---\n/);
    expect(renderContext(SAMPLE, 'full', NOW)).not.toContain('no room');
  });

  it('has no entry that is neither told nor counted', () => {
    for (const level of LEVELS) {
      const given = { ...crowded(200), hint: 'h '.repeat(900), devices: [], scripts: [] };
      const text = renderContext(given, level, NOW);
      expect(text, level).toMatch(/files|Working files/);
      if (level !== 'minimal') expect(text).toMatch(/20[01] todos|## Saved Work State[^#]*more/);
      if (level !== 'minimal') expect(text).toMatch(/200 containers|Active Containers[^#]*more/);
    }
  });

  it('is used: with much to say a level is nearly full', () => {
    for (const level of LEVELS) {
      const tokens = estimateTokens(renderContext(crowded(60), level, NOW));
      expect(tokens, level).toBeGreaterThan(LIMITS[level] * 0.85);
    }
  });

  const HINT = 'Android 14 tree. Never run repo sync without asking; the mirror is down until May.';
  const sentence = (n: number) =>
    `Step ${n} moves the ${n}th part of the old importer to the new one.`;

  it('leaves out what else is said of a task before a hint, sentence by sentence, and says how many', () => {
    const task = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(sentence).join(' ');
    const given = { ...SAMPLE, hint: HINT, work: { ...SAMPLE.work!, task } };
    const text = renderContext(given, 'minimal', NOW);
    expect(text).toContain(`**Hint:** ${HINT}\n`);
    expect(text).toMatch(/\*\*Task:\*\* Step 1 .*the new one\. \(\+\d sentences\)\n/);
    expect(text).not.toContain('…');
    expect(renderContext(given, 'full', NOW)).toContain(`- **Task:** ${task}\n`);
  });

  it('cuts the longer of a task and a hint of one long sentence each, and leaves out neither', () => {
    const task = `Port the importer ${'and its parts '.repeat(40)}`.trim();
    const text = renderContext(
      { ...SAMPLE, hint: HINT, work: { ...SAMPLE.work!, task } },
      'minimal',
      NOW,
    );
    expect(text).toContain('**Hint:** Android 14 tree.');
    expect(text).toMatch(/\*\*Task:\*\* Port the importer and its parts .*…\n/);
    expect(estimateTokens(text)).toBeLessThanOrEqual(200);
  });

  it('shortens a text only when it is the last that is left, and still too long', () => {
    const long = 'word '.repeat(400).trim();
    const alone = {
      ...SAMPLE,
      hint: '',
      work: { ...SAMPLE.work!, task: long, files: [] },
      repositories: [],
      devices: [],
    };
    const text = renderContext(alone, 'minimal', NOW);
    expect(text).toMatch(/\*\*Task:\*\* word word .*word…\n/);
    expect(estimateTokens(text)).toBeLessThanOrEqual(200);
  });
});

it('a cell of a table cannot add one, nor a line', () => {
  const odd = { ...SAMPLE, repositories: [{ ...SAMPLE.repositories[0]!, branch: 'a|b' }] };
  expect(renderContext(odd, 'normal', NOW)).toContain('| project | a\\|b | 2M |');
});
