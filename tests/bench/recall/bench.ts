import path from 'node:path';
import { pathToFileURL } from 'node:url';

/** A module of `bench/recall/`; plain JavaScript, as all of `bench/`. */
export const bench = (file: string) =>
  import(pathToFileURL(path.resolve(import.meta.dirname, '../../../bench/recall', file)).href);
