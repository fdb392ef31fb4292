/** Ends an erasure that was cut off, and takes in what waited for that: what a hook asks for when the manifest says that there is one. */
export { takeInbox } from '../project/inbox.ts';
