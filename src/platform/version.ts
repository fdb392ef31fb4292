/** Set by the build. */
declare const BEN10_VERSION: string | undefined;

export const VERSION = typeof BEN10_VERSION === 'string' ? BEN10_VERSION : '0.0.0-source';
