import { expression } from '../expression.ts';
import * as KIND from '../kinds.ts';
import type { RedactionRule, Span } from '../rule.ts';

/** The id of an access key and, right behind it or in the same row, its secret: `aws --output text`, the accessKeys.csv of the console. */
const PAIR = expression(
  'A[KS]IA[A-Z2-7]{16}["\']?(?:[ \\t]{0,4}[,|\\t][^,|\\t\\n\\\\]{0,40}){0,2}?[ \\t]{0,4}(?:[ ,|\\t/:;]|\\\\t)[ \\t"\']{0,4}(?=[a-z0-9/+]*[A-Z])(?=[A-Z0-9/+]*[a-z])([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])',
  'y',
);

export const AWS_PAIR: RedactionRule = {
  id: 'AWS-SECRET-KEY',
  kind: KIND.token,
  find: function* (text, places): Generator<Span> {
    for (const at of places.at(KIND.token)) {
      if (!text.startsWith('AKIA', at) && !text.startsWith('ASIA', at)) continue;
      PAIR.lastIndex = at;
      const found = PAIR.exec(text);
      if (found === null) continue;
      const end = at + found[0].length;
      yield { start: end - (found[1] ?? '').length, end };
    }
  },
};
