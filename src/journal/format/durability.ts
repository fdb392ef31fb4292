/**
 * What an acknowledgement promises: `process` survives the death of any process, `interval` a power cut after
 * at most a second while somebody writes, `disk` a power cut right away.
 */
export type Durability = 'process' | 'interval' | 'disk';
