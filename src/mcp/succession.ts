import type { Handover } from './handover.ts';

/** What a supervisor tells a server, once, at its start: what the one before has left. */
export interface ToServer {
  handover: Handover | null;
}

/** What a server tells its supervisor, once, before it ends. */
export interface FromServer {
  handover: Handover;
}

/** The exit code of a server that leaves a handover and wants to be followed; any other one is the end (EX_TEMPFAIL of sysexits.h). */
export const RENEWS = 75;
