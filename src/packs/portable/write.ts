import { Document, type Node, visit } from 'yaml';
import {
  isLocal,
  type LockedItem,
  type PortableArtifact,
  type PortablePack,
  VERSION,
} from './portable.ts';

const HEAD = ` Context packs of ben10. To take them: ben10 pack import FILE. A lock says what they rendered where this was written; to
 compare: ben10 pack verify FILE. What is local depends on that machine, and is not in the lock.`;

/** Unseen or a line's end elsewhere; what else YAML must escape it escapes. */
const UNSEEN = /[\x7f-\x9f\u2028\u2029\ufff9-\ufffb\p{Default_Ignorable_Code_Point}]/gu;

/** `ben10.packs.yaml`: short things in one line, texts as they are. */
export function writtenPacks(packs: readonly PortablePack[]): string {
  const document = new Document();
  const inLine = (value: object): Node => document.createNode(value, { flow: true });
  const artifactOf = ({ kind, source, text, priority, options, ...rest }: PortableArtifact) => ({
    ...(kind === 'text' ? { text } : { source }),
    priority,
    ...(Object.keys(options).length > 0 && { options: inLine(options) }),
    ...(isLocal({ kind, ...rest }) && { local: true }),
  });
  const written = packs.map(({ name, policy, artifacts, lock }) => [
    name,
    {
      policy: inLine(policy),
      artifacts: artifacts.map(artifactOf),
      ...(lock && { lock: { render_hash: lock.renderHash, items: lock.items.map(lineOf) } }),
    },
  ]);
  document.contents = document.createNode(
    { version: VERSION, packs: Object.fromEntries(written) },
    { aliasDuplicateObjects: false },
  ) as typeof document.contents;
  document.commentBefore = HEAD;
  visit(document, {
    Scalar(_, node) {
      if (typeof node.value === 'string' && node.value.search(UNSEEN) !== -1)
        node.type = 'QUOTE_DOUBLE';
    },
  });
  return document
    .toString({ lineWidth: 0, doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY })
    .replace(UNSEEN, (one) => `\\U${one.codePointAt(0)!.toString(16).padStart(8, '0')}`);
}

const lineOf = ({ sha256, tokens, kind, label }: LockedItem): string =>
  `${sha256} ${tokens} ${kind} ${label}`;
