import type { Readable } from 'node:stream';

/** All that comes, up to a limit. @param tooLong what is thrown beyond it */
export async function readPiped(
  stdin: Readable,
  bytesMax: number,
  tooLong: () => Error,
): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of stdin) {
    bytes += (part as Buffer).length;
    if (bytes > bytesMax) throw tooLong();
    parts.push(Buffer.from(part as Buffer));
  }
  return Buffer.concat(parts).toString('utf8');
}
