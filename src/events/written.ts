import type { Durability } from '../journal/format/durability.ts';
import { CATALOGUE, type EventType } from './catalogue.ts';

/** How each type is written today. The build makes a constant of it, so that a hook need not read what all fields are. */
export const WRITTEN = Object.fromEntries(
  Object.entries(CATALOGUE).map(([type, { version, durability }]) => [type, [version, durability]]),
) as Record<EventType, [version: number, durability: Durability]>;
