import { fieldsIn } from './config/value.ts';
import { readFile } from './files.ts';
import { nodeFs } from './fs.ts';

const BYTES_MAX = 1024 * 1024;

/** The fields of somebody else's JSON file; none if it is missing, damaged or too long. */
export function fieldsOfFile(file: string): Record<string, unknown> {
  try {
    const text = readFile(nodeFs, file, BYTES_MAX).toString('utf8');
    return fieldsIn(JSON.parse(text.replace(/^\ufeff/, '')));
  } catch {
    return {};
  }
}
