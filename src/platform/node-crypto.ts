/** `node:crypto`, loaded when it is first asked for: that costs a sixth of an empty process. */
export const nodeCrypto = (): typeof import('node:crypto') =>
  process.getBuiltinModule('node:crypto');
