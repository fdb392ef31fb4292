import { CATALOGUE } from './catalogue.ts';

/**
 * How each type is written today: a line of its name, version and durability. The build makes a constant of it, so that a hook need not
 * read what all fields are. It is no object, which each start would fill with all types.
 */
export const WRITTEN: string = Object.entries(CATALOGUE)
  .map(([type, { version, durability }]) => `${type} ${version} ${durability}`)
  .join('\n');
