import { isObject, type Json } from '../json.ts';
import { isMachineText } from './machine-text.ts';

/** Blocks that carry a file: a pasted picture, a PDF. */
const FILES = new Set(['image', 'document']);
const MEDIA_TYPE = /^[\w.+/-]{1,60}$/;

/**
 * What the user typed in a message, without the client's texts. A message of files alone becomes `[image:
 * image/png, 1234 bytes]`; beside text they are left out, as in hooks.
 * @returns '' if the user typed nothing
 */
export function typedText(content: unknown): string {
  if (typeof content === 'string') return isMachineText(content) ? '' : content;
  const blocks = Array.isArray(content) ? content.filter(isObject) : [];
  const texts = blocks.flatMap(({ text }) => (typeof text === 'string' && text !== '' ? text : []));
  const typed = texts.filter((text) => !isMachineText(text));
  if (typed.length > 0) return typed.join('\n');
  return blocks.flatMap((block) => fileOf(block) ?? []).join('\n');
}

function fileOf({ type, source }: Json): string | undefined {
  if (typeof type !== 'string' || !FILES.has(type)) return undefined;
  const { media_type: media, data } = isObject(source) ? source : {};
  const known = [
    ...(typeof media === 'string' && MEDIA_TYPE.test(media) ? [media] : []),
    ...(typeof data === 'string' ? [`${Buffer.byteLength(data, 'base64')} bytes`] : []),
  ];
  return known.length === 0 ? `[${type}]` : `[${type}: ${known.join(', ')}]`;
}
