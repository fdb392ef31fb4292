import { redactText } from '../../../../src/capture/redaction/index.ts';
import { describer } from '../../../../src/scan/finding.ts';
import { scanChunks } from '../../../../src/scan/scan-chunks.ts';
import { pem, SAMPLES, seeded } from '../samples.ts';
import { CONTEXTS, type Context } from './contexts.ts';
import type { Kind } from './generate.ts';
import { options, type Recall } from './recall.ts';

/** How many of a kind's tokens are found in a text that comes in pieces, cut inside of them. */
export function recallInPieces(kind: Kind, samples: number): Recall {
  const random = seeded(11);
  const recall = { found: 0, named: 0, of: samples };
  for (let index = 0; index < samples; index += 1) {
    const token = kind.make(random);
    const text = kind.label === undefined ? token : `${kind.label}_api_key = "${token}"`;
    const cut = 1 + random(text.length - 1);
    const found = [...scanChunks([text.slice(0, cut), text.slice(cut)], options, describer())];
    if (found.length > 0) recall.found += 1;
  }
  return recall;
}

/** A context, and how much of what is searched there was found. */
export interface Place {
  name: string;
  recall: Recall;
}

/** How much of a key stands before the line that is looked for, characters. */
const BEFORE_CHARS = 65;

/** Keys in PEM, of every kind, in every context, in one line with `\n` between its lines, and without their BEGIN line. */
export function* pemRecall(samples: number): Generator<Place> {
  const oneLine: Context = {
    name: 'as one line',
    wrap: (text, secret) => ({ text: text.replaceAll('\n', '\\n'), shown: secret }),
  };
  const tail: Context = {
    name: 'without BEGIN',
    wrap: (text, secret) => {
      const from = Math.max(text.indexOf('\n') + 1, text.indexOf(secret) - BEFORE_CHARS);
      return { text: text.slice(from), shown: secret };
    },
  };
  const contexts = CONTEXTS.filter(({ name }) => name !== 'percent-encoded');
  for (const context of [...contexts, oneLine, tail]) {
    const random = seeded(13);
    const recall = { found: 0, named: 0, of: samples };
    for (let index = 0; index < samples; index += 1) {
      const { lines, body } = pem(random);
      const line = body[random(body.length)] ?? '';
      const { text, shown } = context.wrap(lines.join('\n'), line, random);
      if (!redactText(text, options).text.includes(shown)) recall.found += 1;
    }
    yield { name: `PEM, ${context.name}`, recall };
  }
}

/** What every rule that is no token of the table is made for: headers, cookies, URLs, assignments in all notations. */
export function* sampleRecall(samples: number): Generator<Place> {
  for (const [id, make] of Object.entries(SAMPLES)) {
    const random = seeded(17);
    const recall = { found: 0, named: 0, of: samples };
    for (let index = 0; index < samples; index += 1) {
      const { text, secret } = make(random);
      if (!redactText(text, options).text.includes(secret)) recall.found += 1;
    }
    yield { name: id, recall };
  }
}
