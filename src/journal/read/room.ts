/** Gives memory for so many bytes that are going to be read. */
export type Room = (bytes: number) => Buffer;

/** New memory each time: what was read stays as long as somebody holds it. */
export const newRoom: Room = (bytes) => Buffer.allocUnsafeSlow(bytes);

/**
 * The same memory each time, for one reading from its start to its end: the system finds it once and nothing piles up. What
 * was read holds until the next is asked for, so who keeps any of it copies that.
 */
export function oneRoom(): Room {
  let held = Buffer.alloc(0);
  return (bytes) => {
    if (held.length < bytes) held = Buffer.allocUnsafeSlow(bytes);
    return held.subarray(0, bytes);
  };
}
