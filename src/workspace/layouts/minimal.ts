import type { DevContext } from '../context.ts';
import { hintLine, taskSection } from './parts.ts';
import type { Layout, Section, What } from './section.ts';
import { isChanged, more, nameOf, statusOf } from './words.ts';

/**
 * After a compaction: only what is needed to go on.
 * @param filesMax names at most so many files
 */
export function minimal(
  context: DevContext,
  now: number,
  filesMax = Number.POSITIVE_INFINITY,
): Layout {
  const { work, repositories, devices } = context;
  const files = work?.files ?? [];
  return {
    title: '# Context Recovery (Minimal)',
    sections: [
      hintLine('**Hint:** ', context),
      taskSection('**Task:** ', work, now),
      // The newest file is worth more than everything after it.
      {
        ...list(['file', 'files'], '**Files:** ', files.slice(0, filesMax), 70),
        beyond: Math.max(0, files.length - filesMax),
      },
      list(
        ['changed repo', 'changed repos'],
        '**Changed repos:** ',
        repositories.filter(isChanged).map((one) => `${nameOf(one)} (${statusOf(one)})`),
        60,
      ),
      list(
        ['device', 'devices'],
        '**Device:** ',
        devices.map(({ serial, type }) => `${serial} (${type})`),
        50,
      ),
    ],
    foot: ['---', '*Run `get_dev_context` with level="normal" for more details.*'],
    tokensMax: 200,
  };
}

/** @param worth of the first item; each after it is worth less */
function list(what: What, inline: string, items: readonly string[], worth: number): Section {
  const entries = items.map((text, index) => ({ text, worth: worth / (1 + index) }));
  return { what, head: [], inline, more, entries };
}
