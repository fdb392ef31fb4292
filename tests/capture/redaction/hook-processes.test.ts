/** @module-tag long */
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { INLINE_BYTES_MAX } from '../../../src/journal/append/blobs.ts';
import { withBlobs } from '../../../src/log/blobs.ts';
import { queryLog } from '../../../src/log/query.ts';
import { hooked, toolCall } from '../../hook/run-hook.ts';
import { openTestProject, scratch } from '../../support.ts';
import { allKinds, type Kind, secretPart } from './corpus/generate.ts';
import { PASSWORD_PLACES } from './corpus/password-places.ts';
import { contextsOf } from './corpus/recall.ts';
import { chars, pem, pick, seeded } from './samples.ts';

const random = seeded(2026);
/** Secrets of so many kinds in one event. */
const KINDS_PER_EVENT = 14;

/** One kind of each id: more than 100 of those that a beginning tells, and some of those that a label tells. */
const KINDS: readonly Kind[] = [...new Map(allKinds().map((kind) => [kind.id, kind])).values()];

/** A text that holds the secret as an agent meets it, and the secret as it stands there. */
function text(kind: Kind): { text: string; shown: string } {
  const token = kind.make(random);
  const own = kind.label === undefined ? token : `${kind.label}_api_key = "${token}"`;
  const fits = contextsOf(kind).filter(({ name }) => name !== 'percent-encoded');
  return pick(random, fits).wrap(own, secretPart(kind, token), random);
}

function* filesIn(dir: string): Generator<Buffer> {
  for (const name of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
    const file = path.join(dir, name);
    if (statSync(file).isFile()) yield readFileSync(file);
  }
}

describe('what real hooks leave on disk', () => {
  it('holds no secret of more than 200 kinds: not in raw bytes, not unpacked, not in blobs', async () => {
    const dir = scratch();
    mkdirSync(path.join(dir, '.ben10'), { mode: 0o700 });
    const secrets: string[] = [];
    const events: Record<string, unknown>[] = [];
    for (let from = 0; from < KINDS.length; from += KINDS_PER_EVENT) {
      const made = KINDS.slice(from, from + KINDS_PER_EVENT).map(text);
      secrets.push(...made.map(({ shown }) => shown));
      // Every other event is large enough to become a blob.
      const filler =
        (from / KINDS_PER_EVENT) % 2 === 0
          ? ''
          : 'a line of output\n'.repeat(INLINE_BYTES_MAX / 16 + 1);
      events.push({ stdout: `${made.map((one) => one.text).join('\n\n')}\n${filler}` });
    }
    const places = PASSWORD_PLACES.map((place) => {
      const secret = `${chars(random, 'abcdefghijkmnop', 9)}7${chars(random, '23456789', 3)}`;
      return place.wrap(secret, secret, random);
    });
    const key = pem(random);
    const under = chars(random, 'abcdefghijkmnop0123456789', 30);
    secrets.push(
      ...places.map(({ shown }) => shown),
      ...key.body.filter((line) => line.length > 9),
    );
    secrets.push(under);
    events.push({
      stdout: places.map((one) => one.text).join('\n\n'),
      files: [key.lines.join('\n'), { client_secret: under, list: [{ password: under }] }],
    });
    for (const [index, tool_response] of events.entries()) {
      const call = { ...toolCall(`toolu_${index}`, 'cat all'), hook_event_name: 'PostToolUse' };
      await hooked(dir, 'PostToolUse', { ...call, tool_response });
    }

    const project = openTestProject(dir);
    const kept: string[] = [];
    const calls = new Set<unknown>();
    for (const { data } of queryLog(project)) {
      kept.push(JSON.stringify(withBlobs(project, data)));
      calls.add(/toolu_\d+/.exec(kept.at(-1) ?? '')?.[0]);
    }
    expect([...calls].sort()).toEqual(events.map((_, index) => `toolu_${index}`).sort());
    const unpacked = kept.join('\n');
    expect(unpacked).toContain('a line of output');
    const raw = [...filesIn(path.join(dir, '.ben10'))];
    expect(raw.length).toBeGreaterThan(5);
    const left = secrets.filter(
      (secret) => unpacked.includes(secret) || raw.some((bytes) => bytes.includes(secret)),
    );
    expect(secrets.length).toBeGreaterThan(200);
    expect(left).toEqual([]);
  }, 60_000);
});
