/**
 * What an acknowledged event survives: `process` the death of any process, `interval` a power cut a second later, `disk` one
 * right away.
 */
export type Durability = 'process' | 'interval' | 'disk';
