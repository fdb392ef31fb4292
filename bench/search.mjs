// What ben10 search finds, and what it costs. Beside it SQLite's FTS5 and MiniSearch over the same texts.
import { installed } from './lib/installed.mjs';
import { flags, script } from './lib/report.mjs';
import { journal } from './search/journal.mjs';
import { known } from './search/known.mjs';
import { locomo } from './search/locomo.mjs';
import { scale } from './search/scale.mjs';

const PARTS = {
  locomo: (entry) => locomo(entry, flags.data, flags.quick),
  known: (entry) => known(entry, flags.sessions),
  scale: () => scale(flags),
  journal: (entry) => journal(entry, flags.quick),
};

await script('search', async () => {
  const { entry } = installed();
  const rows = [];
  for (const [name, part] of Object.entries(PARTS))
    if ((flags.part ?? name) === name) rows.push(...(await part(entry)));
  return rows;
});
