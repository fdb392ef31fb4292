import type { ContextSampled } from '../events/types.ts';

/** `5h 24% · 7d 41%` */
export const limitsText = ({ fiveHour, sevenDay }: NonNullable<ContextSampled['limits']>): string =>
  [fiveHour && `5h ${fiveHour.percent}%`, sevenDay && `7d ${sevenDay.percent}%`]
    .filter(Boolean)
    .join(' · ');
