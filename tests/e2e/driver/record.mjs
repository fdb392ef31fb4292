/**
 * Records the fixtures under tests/fixtures/real-client/ anew, from the real client.
 *
 *   node tests/e2e/driver/record.mjs [NAME…]
 *
 * Needs Linux, root and npm, as the tests do; without a name it records every session.
 */
import { fileURLToPath } from 'node:url';
import './ts-loader.mjs';

const { createSandbox } = await import('./sandbox.ts');
const { recordHooks } = await import('./hook-recorder.ts');
const { writeFixture } = await import('./fixture.ts');
const { workingSession } = await import('./sessions/working.ts');
const { subAgentSession } = await import('./sessions/sub-agents.ts');
const { twoCompactions } = await import('./sessions/two-compactions.ts');
const { killedClient } = await import('./sessions/killed-client.ts');
const { twoSessions } = await import('./sessions/two-at-once.ts');
const { rewoundAndForked } = await import('./sessions/branches.ts');
const { PROJECT_COMMANDS, slashCommands } = await import('./sessions/slash-commands.ts');

const FIXTURES = fileURLToPath(new URL('../../fixtures/real-client/', import.meta.url));

const RECORDED = {
  'working-session': workingSession,
  'sub-agents': subAgentSession,
  'two-compactions': twoCompactions,
  'killed-client': killedClient,
  'two-sessions': twoSessions,
  'rewound-and-forked': rewoundAndForked,
  'slash-commands': slashCommands,
};

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(RECORDED);
for (const name of names) {
  const play = RECORDED[name];
  if (play === undefined) throw new Error(`No session "${name}": ${Object.keys(RECORDED)}`);
  const sandbox = createSandbox(PROJECT_COMMANDS);
  try {
    recordHooks(sandbox);
    writeFixture(`${FIXTURES}${name}`, sandbox, await play(sandbox));
    console.log(`recorded ${name}`);
  } finally {
    sandbox.dispose();
  }
}
