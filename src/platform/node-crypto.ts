let loaded: typeof import('node:crypto') | undefined;

/** `node:crypto`, loaded on first use: loading takes a sixth of an empty process. */
export function nodeCrypto(): typeof import('node:crypto') {
  loaded ??= process.getBuiltinModule('node:crypto');
  return loaded;
}
