import { type ClientRun, startConversation } from '../run-client.ts';
import type { Sandbox } from '../sandbox.ts';

/** The project file that `/review` needs: give it to `createSandbox`. */
export const PROJECT_COMMANDS = {
  '.claude/commands/review.md': '---\ndescription: Review a file\n---\nReview $ARGUMENTS.\n',
};

/** A command of the project, a command that nobody knows, and one that the client runs itself. */
export async function slashCommands(sandbox: Sandbox): Promise<ClientRun[]> {
  const client = await startConversation(sandbox, {
    scenario: { steps: [{ text: 'Reviewed.' }, { text: 'I know no such command.' }] },
  });
  client.say('/review src/todo.js');
  await client.turn(1);
  client.say('/nosuch thing');
  await client.turn(2);
  client.say('/cost');
  await client.turn(3);
  client.hangUp();
  return [await client.done];
}
