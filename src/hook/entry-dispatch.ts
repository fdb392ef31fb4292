// The `ben10` program. The hooks of tool calls are in this file itself: a second file to load costs them a thirtieth
// of an empty process. Everything else loads the command line.
import { runHook } from './entry-hook.ts';

const [, , command, event] = process.argv;

if (command === 'hook' && event !== undefined && !event.startsWith('-')) runHook(event);
else {
  const { runCli } = require('./cli.cjs') as { runCli(): void };
  runCli();
}
