import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { preferences } from '../../src/timetravel/preferences.ts';
import { listSnapshots } from '../../src/timetravel/snapshots/indexed.ts';
import type { Command } from './killed-program.ts';
import { RETENTION, recordOldEvents } from './old-events.ts';
import { Stage } from './stage.ts';

/** A project with old events, a session, saves, snapshots, preferences and a file that somebody else changed. */
export class CommandScene extends Stage {
  /** Of two snapshots, the older one. */
  readonly snapshot: string;
  /** Of what the user asked for. */
  readonly preference: string;

  constructor(top: string) {
    super(top, 'project');
    this.#live();
    [this.snapshot, this.preference] = this.ask((project) => [
      listSnapshots(project).snapshots.at(-1)!.id,
      preferences(project)[0]!.key,
    ]);
    this.remember();
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
}
