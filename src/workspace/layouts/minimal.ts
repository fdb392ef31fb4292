import type { DevContext } from '../context.ts';
import type { Layout, Section } from './section.ts';
import { isChanged, more, nameOf, statusOf, taskText } from './words.ts';

/** After a compaction: what is needed to go on, and no more. */
export function minimal(context: DevContext, now: number): Layout {
  const { hint, work, repositories, devices } = context;
  const task = work === undefined ? '' : taskText(work, now);
  return {
    title: '# Context Recovery (Minimal)',
    sections: [
      line('**Hint:** ', hint, 80),
      line('**Task:** ', task, 100),
      // The newest are worth more than all that stands behind them.
      list('**Files:** ', work?.files ?? [], 70),
      list(
        '**Changed repos:** ',
        repositories.filter(isChanged).map((one) => `${nameOf(one)} (${statusOf(one)})`),
        60,
      ),
      list(
        '**Device:** ',
        devices.map(({ serial, type }) => `${serial} (${type})`),
        50,
      ),
    ],
    foot: ['---', '*Run `get_dev_context` with level="normal" for more details.*'],
    tokensMax: 200,
  };
}

function line(label: string, text: string, worth: number): Section {
  return { head: [], entries: text === '' ? [] : [{ text: `${label}${text}`, worth }] };
}

/** @param worth of the first item; each after it is worth less */
function list(inline: string, items: readonly string[], worth: number): Section {
  const entries = items.map((text, index) => ({ text, worth: worth / (1 + index) }));
  return { head: [], inline, more, entries };
}
