import type { TokenRow } from './row.ts';
import { CLOUD_TOKENS } from './tokens-cloud.ts';
import { CODE_TOKENS } from './tokens-code.ts';
import { SERVICE_TOKENS } from './tokens-services.ts';
import { WORK_TOKENS } from './tokens-work.ts';

/** Every token that its own beginning tells. */
export const TOKEN_ROWS: readonly TokenRow[] = [
  ...CODE_TOKENS,
  ...CLOUD_TOKENS,
  ...SERVICE_TOKENS,
  ...WORK_TOKENS,
];
