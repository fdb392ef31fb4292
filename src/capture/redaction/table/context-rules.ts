import * as KIND from '../kinds.ts';
import type { RedactionRule } from '../rule.ts';
import { isPlaceholder } from '../values.ts';
import { COMMAND_RULES } from './command-rules.ts';
import { CONNECTION_RULES } from './connection-rules.ts';
import { COOKIE_RULES } from './cookie-rules.ts';
import { DAEMON_RULES } from './daemon-rules.ts';
import { DECLARED_RULES } from './declared-rules.ts';
import { DIALOGUE_RULES } from './dialogue-rules.ts';
import { INSERTED } from './insert-rules.ts';
import { KUBERNETES_SECRET } from './kubernetes.ts';
import { LOGIN_RULES } from './login-rules.ts';
import { NAMED_RULES } from './named-rules.ts';
import { PHRASE_RULES } from './phrase-rules.ts';
import { PLACE_RULES } from './place-rules.ts';
import { ANY, signedRule } from './signed-rule.ts';
import { TOLD_RULES } from './told-rules.ts';
import { TOOL_RULES } from './tool-rules.ts';

const Q = '\\\\{0,7}"';
/** The rest of one flat object. */
const REST = '[^{}]{0,400}?';

/** What developer.hashicorp.com calls sensitive: outputs of a Terraform state, in either order of their fields. */
const TERRAFORM_VALUES: readonly RedactionRule[] = [
  `(${Q}sensitive${Q}\\s{0,8}:\\s{0,8}true${REST}${Q}value${Q}\\s{0,8}:\\s{0,8}${Q})[^"\\\\]{1,4096}`,
  `(${Q}value${Q}\\s{0,8}:\\s{0,8}${Q})[^"\\\\]{1,4096}(?=${Q}${REST}${Q}sensitive${Q}\\s{0,8}:\\s{0,8}true)`,
].map((source) =>
  signedRule('TERRAFORM-VALUE', KIND.terraformValue, ANY, source, 'g', (text, match) => {
    const start = match.index + (match[1] ?? '').length;
    const end = match.index + match[0].length;
    return isPlaceholder(text.slice(start, end)) ? undefined : { start, end };
  }),
);

/** Everything of the table that is no token with a beginning of its own. What is found is named in `contexts.ts`, too. */
export const CONTEXT_RULES: readonly RedactionRule[] = [
  ...PLACE_RULES,
  ...TOOL_RULES,
  ...COOKIE_RULES,
  ...TOLD_RULES,
  KUBERNETES_SECRET,
  ...TERRAFORM_VALUES,
  ...DECLARED_RULES,
  ...COMMAND_RULES,
  ...LOGIN_RULES,
  ...DAEMON_RULES,
  ...DIALOGUE_RULES,
  ...CONNECTION_RULES,
  ...PHRASE_RULES,
  INSERTED,
  ...NAMED_RULES,
];
