/** Allocates memory for a reading. */
export type Room = (bytes: number) => Buffer;

/** New memory each time: what was read stays valid. */
export const newRoom: Room = (bytes) => Buffer.allocUnsafeSlow(bytes);

/** The same memory each time: what was read is valid only until the next reading, so copy what you keep. */
export function oneRoom(): Room {
  let held = Buffer.alloc(0);
  return (bytes) => {
    if (held.length < bytes) held = Buffer.allocUnsafeSlow(bytes);
    return held.subarray(0, bytes);
  };
}
