/**
 * ben10 as a library: open a project's journal, read its events, and get states at any point of it. What is
 * exported here is kept stable; everything else is the program's own business.
 */
export type { EventData, EventType, JournalEvent } from './events/types.ts';
export type { Verification } from './journal/verify/verify.ts';
export { verifyJournal } from './journal/verify/verify.ts';
export { Ben10Error, type ErrorCode } from './platform/errors.ts';
export { findProject, type OpenOptions, openProject, type Project } from './project/open.ts';
export { type EventQuery, readEvents } from './projections/events.ts';
