import * as KIND from '../kinds.ts';
import type { RedactionRule } from '../rule.ts';
import { isMachineSecret, isPlaceholder } from '../values.ts';
import { COMMAND_CHARS_MAX } from './command-line.ts';
import { ANY, behindLead, signedRule } from './signed-rule.ts';

const isConnection = (text: string, at: number): boolean =>
  /(?:server|data source|host|user id|uid|user|database)=[^;&]{1,200}[;&?]|jdbc:[a-z]/i.test(
    text.slice(Math.max(0, at - COMMAND_CHARS_MAX), at + 1),
  );

const CONNECTION_LEAD = `([;?&"'][ \\t]{0,4}(?:password|pwd)[ \\t]{0,2}=[ \\t]{0,2}`;

/** The password of a connection string whose other parts stand before it: ADO, ODBC, JDBC. */
export const CONNECTION_RULES: readonly RedactionRule[] = [
  signedRule(
    'CONNECTION-PASSWORD',
    KIND.connection,
    ANY,
    `${CONNECTION_LEAD})[^\\s;&"'\\\\<>{}$()]{1,256}(?=[;&"'\\\\\\s]|$)`,
    'gi',
    (text, match) => {
      const span = behindLead(text, match);
      const isOne = isConnection(text, match.index);
      return isOne && !isPlaceholder(text.slice(span.start, span.end)) ? span : undefined;
    },
  ),
  // learn.microsoft.com: ODBC has what other signs are in between braces; so have templates a name
  signedRule(
    'CONNECTION-PASSWORD',
    KIND.connection,
    ANY,
    `${CONNECTION_LEAD}\\{)[^"'\\\\{}\\s]{3,256}(?=\\})`,
    'gi',
    (text, match) => {
      const span = behindLead(text, match);
      const value = text.slice(span.start, span.end);
      const isName = /^[\w.[\]()]+$/.test(value) && !isMachineSecret(value, 'bare');
      return !isName && isConnection(text, match.index) ? span : undefined;
    },
  ),
];
