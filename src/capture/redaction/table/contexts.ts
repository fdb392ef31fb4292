import { contextRules, keyRules } from '../contexts-here.ts';
import * as KIND from '../kinds.ts';
import { type NamedSpan, onDemand, type RedactionRule } from '../rule.ts';
import { hasSign } from '../signs.ts';
import { spansOf } from '../spans.ts';
import { labelledIds } from './labelled.ts';

/*
 * The rules of `context-rules.ts` and of keys in PEM as one rule each, which asks for them only where a text has one of their
 * signs: most secrets are tokens, or stand behind a label.
 */

/** What the rules of `context-rules.ts` may call what they find. */
export const contextIds = onDemand(() => [
  ...new Set([
    ...(
      'NPM-TOKEN SLACK-WEBHOOK DISCORD-WEBHOOK TEAMS-WEBHOOK ZAPIER-WEBHOOK IFTTT-WEBHOOK MAKE-WEBHOOK AZURE-CLIENT-SECRET ' +
      'TERRAFORM-TOKEN OPENSHIFT-TOKEN MAXMIND-KEY BRAINTREE-TOKEN URL-SIGNATURE PASSWORD-HASH PGPASS-PASSWORD NETRC-PASSWORD ' +
      'CONNECTION-PASSWORD PASSWORD URL-PASSWORD TERRAFORM-VALUE DOCKER-AUTH PRIVATE-KEY VAULT-SECRET AWS-SECRET-KEY COOKIE ' +
      'COMMAND-PASSWORD KUBERNETES-SECRET AWS-PARAMETER AZURE-SECRET SECRET API-KEY BASIC-AUTH BEARER-TOKEN'
    ).split(' '),
    ...labelledIds(),
  ]),
]);

export const CONTEXTS: RedactionRule = {
  id: 'CONTEXT',
  get ids() {
    return contextIds();
  },
  *find(text, places): Generator<NamedSpan> {
    if (!hasSign(text, places)) return;
    for (const rule of contextRules()) {
      if (!places.has(rule.kind!)) continue;
      for (const { start, end, id = rule.id } of spansOf(rule, text, places))
        yield { start, end, id };
    }
  },
};

export const KEYS: RedactionRule = {
  id: 'PRIVATE-KEY',
  ids: ['PRIVATE-KEY'],
  kind: KIND.privateKey,
  *find(text, places): Generator<NamedSpan> {
    for (const rule of keyRules()) yield* spansOf(rule, text, places);
  },
};
