import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { deliverDue } from '../../src/tracker/deliver.ts';
import { answering } from './linear-server.ts';
import { handOff, settingsOf, trackedProject } from './support.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

it.each(['nothing', 'headers', 'spaces'])(
  'a tracker that answers %s for ever is left when somebody wants to stop, also behind a garbage collection',
  async (what) => {
    const stop = new AbortController();
    const env = await answering((request, response) => {
      request.resume();
      const ask = setInterval(() => what === 'spaces' && response.write(' '), 10);
      response.on('close', () => clearInterval(ask));
      if (what !== 'nothing') response.writeHead(200, { 'content-type': 'application/json' });
      if (what !== 'nothing') response.flushHeaders();
      setTimeout(collect, 50);
      setTimeout(() => stop.abort(), 100);
    });
    const project = trackedProject();
    handOff(project);
    const round = await deliverDue(project, settingsOf(), {
      env,
      isAsked: true,
      signal: stop.signal,
    });
    expect(round).toMatchObject({ sent: [], open: 2 });
  },
);
