import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ben10Error } from '../../platform/errors.ts';
import { isObject } from '../../projections/tools-text.ts';
import { parseQuery, refuseNothing } from '../../search/query.ts';

export interface QueryLine {
  id: string | number;
  query: string;
}

/** The queries of a file, `{"id", "query"}` a line. @throws Ben10Error USAGE that names the first bad line */
export function queriesIn(file: string, cwd: string): QueryLine[] {
  const lines = readFileSync(path.resolve(cwd, file), 'utf8').split('\n');
  return lines.flatMap((line, n) =>
    line.trim() === '' ? [] : queryOf(line, `${file}, line ${n + 1}`),
  );
}

function queryOf(line: string, place: string): QueryLine {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw badLine(place, 'it is no JSON');
  }
  if (!isObject(value)) throw badLine(place, 'it is no object');
  const { id, query } = value;
  if (typeof id !== 'string' && typeof id !== 'number') throw badLine(place, 'its "id" is no text');
  if (typeof query !== 'string') throw badLine(place, 'its "query" is no text');
  try {
    refuseNothing(query, parseQuery(query));
  } catch (error) {
    throw error instanceof Ben10Error ? badLine(place, error.message) : error;
  }
  return { id, query };
}

const badLine = (place: string, why: string): Ben10Error =>
  new Ben10Error('USAGE', `${place}: ${why}`, {
    next: 'A line is for example: {"id": "q1", "query": "why postgres"}',
  });
