import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openProject, type Project } from '../../src/project/open.ts';
import { preferences } from '../../src/timetravel/preferences.ts';
import { listSnapshots } from '../../src/timetravel/snapshots/indexed.ts';
import { KeptFolder } from '../kept-folder.ts';
import { realPorts } from '../ports.ts';
import { type Command, KilledProgram } from './killed-program.ts';
import { OLD_EVENTS, RETENTION, recordOldEvents } from './old-events.ts';

/** A project with old events, a session, saves, snapshots, preferences and a file that somebody else changed, to be put back as it was. */
export class CommandScene {
  readonly dir: string;
  readonly root: string;
  /** Of two snapshots, the older one. */
  readonly snapshot: string;
  /** Up to here events are old enough to be dropped. */
  readonly old = OLD_EVENTS;
  /** Of what the user asked for. */
  readonly preference: string;
  readonly program: KilledProgram;
  readonly #kept: KeptFolder;

  constructor(top: string) {
    this.dir = path.join(top, 'project');
    this.root = path.join(this.dir, '.ben10');
    mkdirSync(this.dir);
    this.program = new KilledProgram(top, this.dir);
    this.#live();
    const project = this.open();
    this.snapshot = listSnapshots(project).snapshots.at(-1)!.id;
    this.preference = preferences(project)[0]!.key;
    project.close();
    this.#kept = new KeptFolder(this.root);
  }

  /** By real processes, as all that follows. */
  #live(): void {
    const file_path = path.join(this.dir, 'a.txt');
    const call = {
      tool_name: 'Write',
      tool_use_id: 'w1',
      tool_input: { file_path, content: 'one\n' },
    };
    this.program.runWell({ program: 'ben10', args: ['init'] });
    recordOldEvents(this.root);
    const commands: Command[] = [
      { program: 'ben10', args: ['config', 'set', 'retention.events', RETENTION] },
      this.hook('SessionStart', { source: 'startup' }),
      this.hook('UserPromptSubmit', { prompt: 'Never touch the lock file.', prompt_id: 'p1' }),
      this.hook('PreToolUse', call),
      this.hook('PostToolUse', { ...call, tool_response: { type: 'create' } }),
      this.hook('Stop'),
      this.hook('PreCompact', { trigger: 'manual' }),
      this.hook('PostCompact', { trigger: 'manual', compact_summary: 'We wrote a.txt.' }),
      this.hook('UserPromptSubmit', { prompt: 'Write another.', prompt_id: 'p2' }),
      { program: 'ben10', args: ['save', 'first'] },
      this.hook('PreCompact', { trigger: 'auto' }),
      {
        program: 'ben10',
        args: ['config', 'set', 'context.compactionSnapshots.retentionCount', '1'],
      },
    ];
    for (const command of commands) this.program.runWell(command);
    writeFileSync(file_path, 'two\n');
  }

  hook(event: string, more: Record<string, unknown> = {}): Command {
    const input = { session_id: 's', cwd: this.dir, hook_event_name: event, ...more };
    return { program: 'ben10', args: ['hook', event], input };
  }

  putBack(): void {
    this.#kept.putBack();
  }

  open(): Project {
    return openProject(this.dir, { lockBudgetMs: 5000, lock: realPorts.lock! });
  }
}
