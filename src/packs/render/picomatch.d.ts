/** The package brings no types; this is what is used of it. */
declare module 'picomatch' {
  interface Options {
    dot?: boolean;
    noextglob?: boolean;
    nonegate?: boolean;
    posix?: boolean;
    windows?: boolean;
  }
  export default function picomatch(
    patterns: string | readonly string[],
    options?: Options,
  ): (name: string) => boolean;
}
