import { describe, expect, it } from 'vitest';
import { HEAD_CHARS } from '../../src/capture/payload.ts';
import { compileRedaction, redactText, ruleIds } from '../../src/capture/redaction/index.ts';
import { erase, planErasure } from '../../src/erasure/erase.ts';
import type { Request } from '../../src/erasure/request.ts';
import { listBlobs } from '../../src/journal/append/blobs.ts';
import { decodeEnvelope } from '../../src/journal/format/envelope.ts';
import { openProject } from '../../src/project/open.ts';
import { call, NOON, prompt } from '../log/events.ts';
import { openTestProject, realPorts, scratch } from '../support.ts';
import { saw, tell } from '../tell.ts';
import { canaries, codecs } from './support.ts';

/** As somebody typed it, and as it stands in an address. */
const PASSWORD = 'Tr0ub/dor&3-Kanari';
const IN_URL = `postgres://ben:${encodeURIComponent(PASSWORD)}@db.example/shop`;
const NEEDLES: [string, Buffer][] = [
  ['plain', Buffer.from(PASSWORD)],
  ['percent', Buffer.from(encodeURIComponent(PASSWORD))],
  ['base64', Buffer.from(Buffer.from(PASSWORD).toString('base64').slice(0, 20))],
  ['hex', Buffer.from(Buffer.from(PASSWORD).toString('hex'))],
];

const { options: redaction } = compileRedaction({
  patterns: [{ id: 'ACME', pattern: 'acme-[0-9a-f]{2,12}' }],
});
const byRule = (rule: string): Request => ({ by: 'rule', rule, redaction });

function projectWith(
  ...events: Parameters<ReturnType<typeof openTestProject>['writer']['append']>[0]
) {
  const dir = scratch();
  openTestProject(dir).writer.append(events);
  return openProject(dir, { lockBudgetMs: 1000, lock: realPorts.lock! });
}

describe('an erasure by a rule', () => {
  it('takes with it what the rule found once and does not know where it stands alone', () => {
    const bare = `it is ${PASSWORD}, as I said`;
    expect(redactText(bare, redaction).text).toBe(bare);
    const project = projectWith(
      prompt(`use ${IN_URL} for it`),
      prompt(bare),
      prompt(Buffer.from(`a ${PASSWORD}`).toString('base64')),
      prompt(Buffer.from(PASSWORD).toString('hex')),
      prompt('an ordinary prompt'),
    );
    const done = erase(project, byRule('URL-PASSWORD'), codecs);
    expect(done.plan.events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    expect(canaries(project, NEEDLES)).toEqual([]);
    expect(done.left).toEqual([]);
  });

  it('knows a value by the key that it stands under, and then in every form', () => {
    const project = projectWith(
      call('t1', { env: { DB_PASSWORD: PASSWORD } } as never),
      prompt(`again: ${PASSWORD}`),
      prompt(Buffer.from(`the acme-0123456789 of base64`).toString('base64')),
      prompt('key=acme%2D0123456789'),
    );
    const [rule] = Object.keys(redactText(`DB_PASSWORD="${PASSWORD}"`, redaction).counts);
    const seqs = (id: string) => planErasure(project, byRule(id)).events.map(({ seq }) => seq);
    expect(seqs(rule!)).toEqual([1, 2]);
    expect(seqs('ACME')).toEqual([3, 4]);
  });

  it('looks for a value of fewer than eight characters only where the rule finds it', () => {
    const project = projectWith(
      prompt('acme-01'),
      prompt(Buffer.from('an acme-01 of base64').toString('base64')),
    );
    expect(planErasure(project, byRule('ACME')).events.map(({ seq }) => seq)).toEqual([1]);
  });

  it('is refused where the rule finds more different values than one search can look for', () => {
    const many = Array.from({ length: 1001 }, (_, n) => `acme-${(n + 4096).toString(16)}ab`);
    const project = projectWith(prompt(many.join(' ')));
    expect(() => planErasure(project, byRule('ACME'))).toThrow('the rule matches more than 1000');
  });

  describe('leaves texts that are kept beside the journal where nothing of it is in them', () => {
    const LARGE = 'an ordinary line of a large output\n'.repeat(4000);
    /** A prompt as a hook records it: what is large goes beside the journal. */
    function projectWithLarge(...texts: string[]) {
      const project = projectWith(prompt('an ordinary prompt'));
      for (const note of texts)
        tell(project, saw('prompt.submitted', { text: LARGE, note } as never, { at: NOON }));
      return project;
    }
    const blobsOf = ({ ports, layout }: ReturnType<typeof openProject>) => listBlobs(ports, layout);

    it('finds nothing there, whatever the rule', { tags: 'long' }, () => {
      const project = projectWithLarge('nothing of interest');
      expect(blobsOf(project)).toHaveLength(1);
      for (const id of ruleIds(redaction))
        expect([id, planErasure(project, byRule(id)).events]).toEqual([id, []]);
    });

    it('takes no half of a word for a secret where the head of such a text ends', () => {
      const { options } = compileRedaction({
        patterns: [{ id: 'HALF', pattern: 'half-\\d{6}(?!-)' }],
      });
      const half = 'half-012345';
      const text = `${'x'.repeat(HEAD_CHARS - half.length - 1)} ${half}-is-a-name\n${LARGE}`;
      const project = projectWith(prompt(`nothing but ${half}-name`));
      tell(project, saw('prompt.submitted', { text }, { at: NOON }));
      const [, large] = [...project.reader.entries()].map(
        ({ entry }) => decodeEnvelope(entry!.payload).data as { text: { head: string } },
      );
      expect(redactText(large!.text.head, options).counts).toEqual({ HALF: 1 });
      expect(redactText(text, options).counts).toEqual({});
      const request: Request = { by: 'rule', rule: 'HALF', redaction: options };
      expect(planErasure(project, request).events.map(({ seq }) => seq)).not.toContain(1);
    });

    it('takes a secret beside such a text, and the text stays', () => {
      const project = projectWithLarge('use acme-0123456789 for it', 'nothing of interest');
      const before = blobsOf(project);
      expect(before).toHaveLength(1);
      const done = erase(project, byRule('ACME'), codecs);
      expect(done.plan.events.map(({ seq }) => seq)).toEqual([2]);
      expect(blobsOf(project)).toEqual(before);
      const [item] = [...project.reader.entries(2, 2)];
      expect(JSON.stringify(decodeEnvelope(item!.entry!.payload))).toContain(
        `"$blob":"${before[0]}"`,
      );
    });
  });
});
