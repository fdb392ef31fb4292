import { describe, expect, it } from 'vitest';
import { PROFILES } from '../../src/mcp/profiles.ts';
import { takeSnapshot } from '../../src/timetravel/snapshots/take.ts';
import { scratch } from '../support.ts';
import { imported, testProject, transcript } from '../timetravel/project.ts';
import { call, connect } from './support.ts';

const SESSION = 'd3165355-f445-4093-ae34-d89d2f2d29db';

/** Tools that need to be told something; all others are called as they are. */
const ARGUMENTS: Record<string, Record<string, unknown>> = {
  ben10_clear: { force: true },
  ben10_record: { hook_event_name: 'PreToolUse', session_id: 's', tool_name: 'Bash' },
  ben10_save: { name: 'asked' },
  save_work_state: { task_summary: 'asked' },
};

/** A server on a recorded session with a snapshot, and the snapshot's id. */
async function recorded() {
  const dir = scratch();
  const project = imported(
    testProject({ dir }),
    transcript('claude-2.1.329-real-todo-app/transcript.jsonl'),
  );
  const { snapshot } = takeSnapshot(project, { session: SESSION, trigger: 'manual' });
  project.close();
  return { ...(await connect(dir)), snapshot };
}

describe('the official client', () => {
  it('lists and calls every tool', async () => {
    const { client, snapshot } = await recorded();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(PROFILES.core.tools.map(({ name }) => name));
    for (const { name } of tools) {
      const args = name === 'ben10_snapshot_restore' ? { id: snapshot } : (ARGUMENTS[name] ?? {});
      const answer = await call({ client }, name, args);
      expect(answer.isError, `${name}: ${answer.content[0]?.text}`).toBeFalsy();
      expect(answer.content.length).toBeGreaterThan(0);
    }
  });

  it('lists and reads every resource, and one of every template', async () => {
    const { client, snapshot } = await recorded();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(
      expect.arrayContaining(PROFILES.core.resources.map(({ uri }) => uri)),
    );
    const { resourceTemplates } = await client.listResourceTemplates();
    const made: string[] = [];
    for (const { uriTemplate } of resourceTemplates) {
      const ref = { type: 'ref/resource' as const, uri: uriTemplate };
      const { completion } = await client.complete({ ref, argument: { name: 'id', value: '' } });
      expect(completion.values).toContain(snapshot);
      made.push(uriTemplate.replace('{id}', completion.values[0]!));
    }
    expect(made).toHaveLength(1);
    for (const uri of [...resources.map((one) => one.uri), ...made]) {
      const { contents } = await client.readResource({ uri });
      expect(JSON.parse((contents[0] as { text: string }).text), uri).toBeTypeOf('object');
    }
  });

  it('lists and gets every prompt, with each value that completes its arguments', async () => {
    const { client } = await recorded();
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(0);
    for (const { name, arguments: takes = [] } of prompts) {
      const given: Record<string, string>[] = [{}];
      for (const argument of takes) {
        const ref = { type: 'ref/prompt' as const, name };
        const asked = { ref, argument: { name: argument.name, value: '' } };
        const { completion } = await client.complete(asked);
        expect(completion.values.length, `${name} ${argument.name}`).toBeGreaterThan(0);
        given.push(...completion.values.map((value) => ({ [argument.name]: value })));
      }
      for (const args of given) {
        const { messages } = await client.getPrompt({ name, arguments: args });
        expect(messages[0]!.content.type, name).toBe('text');
      }
    }
  });
});
