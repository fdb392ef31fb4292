import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { cache, root } from './program.mjs';

const KIND = /\.(?:ts|js|mjs|md|json)$/;
const BYTES = { least: 500, most: 20_000 };
const FOLDERS = [37, 11];

/** A folder of so many distinct files, 4 KB on average: what the packages of this project bring, evenly taken from all of them. */
export function sourceFolder(files) {
  const dir = path.join(cache, `sources-${files}`);
  if (existsSync(path.join(dir, 'made'))) return path.join(dir, 'files');
  const all = ['node_modules', 'bench/node_modules'].flatMap((name) => {
    const from = path.join(root, name);
    return readdirSync(from, { recursive: true })
      .sort()
      .map((one) => path.join(from, one))
      .filter((one) => KIND.test(one) && isOrdinary(statSync(one)));
  });
  for (let n = 0; n < files; n += 1) {
    const from = all[Math.floor((n / files) * all.length)];
    const folders = FOLDERS.map((many) => `d${n % many}`);
    const to = path.join(
      dir,
      'files',
      ...folders,
      `${n}-${path.basename(from).replace('.min.', '.')}`,
    );
    mkdirSync(path.dirname(to), { recursive: true });
    writeFileSync(to, `// ${n}\n${readFileSync(from, 'utf8')}`);
  }
  writeFileSync(path.join(dir, 'made'), '');
  return path.join(dir, 'files');
}

const isOrdinary = (stat) => stat.isFile() && stat.size > BYTES.least && stat.size < BYTES.most;
