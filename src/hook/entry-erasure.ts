/** Ends an erasure that was cut off: what a session's start asks for when the manifest says that there is one. */
export { finishErasure } from '../project/inbox.ts';
