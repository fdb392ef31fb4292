import { SEGMENTS, type Segment, STYLES } from './line.ts';

export type Asked = ReturnType<typeof askedOf>;

type Environment = Readonly<Record<string, string | undefined>>;

/** What makes no sense is left out: a line with a mistake in its options is still a line. */
export function askedOf(args: readonly string[], env: Environment) {
  const given = (name: string): string | undefined => {
    const joined = args.find((arg) => arg.startsWith(`${name}=`));
    return joined?.slice(name.length + 1) ?? args[args.indexOf(name) + 1 || args.length];
  };
  const isPlain = Boolean(env.NO_COLOR) || env.TERM === 'dumb' || args.includes('--ascii');
  const segments = given('--segments')
    ?.split(',')
    .filter((name): name is Segment => (SEGMENTS as readonly string[]).includes(name));
  return {
    style: STYLES.find((style) => style === given('--style')) ?? 'brackets',
    segments: segments?.length ? segments : undefined,
    width: columnsIn(given('--width')) ?? columnsIn(env.COLUMNS) ?? Number.POSITIVE_INFINITY,
    isColoured: !isPlain,
    isAscii: isPlain,
    json: args.includes('--json'),
    /** Another status line's command. */
    with: given('--with') || undefined,
  };
}

const columnsIn = (text: string | undefined): number | undefined =>
  text !== undefined && /^[1-9]\d{0,4}$/.test(text) ? Number(text) : undefined;
