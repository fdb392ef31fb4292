import type { DevContext } from '../context.ts';
import { full } from './full.ts';
import { minimal } from './minimal.ts';
import { normal } from './normal.ts';
import { renderLayout } from './section.ts';

const LAYOUTS = { minimal, normal, full } as const;

export type Level = keyof typeof LAYOUTS;
export const LEVELS = ['minimal', 'normal', 'full'] as const satisfies readonly Level[];

/** A context at a level, as Markdown. */
export const renderContext = (context: DevContext, level: Level, now: number): string =>
  renderLayout(LAYOUTS[level](context, now));
