import type { Mark } from './document.ts';
import type { IndexFile } from './index-read.ts';

/** Where in a conversation documents belong, as of a point. */
export interface Standing {
  /** The seq of the rewind that left what was said at that time (milliseconds); undefined where nothing did. */
  abandoned(session: string | null, at: number): number | undefined;
  /** The git branch at an event, and so its worktree, too: git has no branch in two of them. */
  branchOf(session: string | null, seq: number): string | undefined;
}

/** By those marks that are known as of a point, each session's when it is first asked for. */
export function standingOf(
  files: readonly IndexFile[],
  isKnown: (mark: Mark) => boolean = () => true,
): Standing {
  const older = coursesOf(files.slice(0, -1));
  const [newest] = files.slice(-1);
  const known = new Map<string, Course>();
  const made = (session: string): Course => {
    const marks = older.marksOf(session);
    const more = newest?.marks(session) ?? [];
    if (more.length > 0 || !marks.every(isKnown))
      return new Course([...marks, ...more].filter(isKnown));
    return older.courseOf(session);
  };
  let last: { session: string; course: Course } | undefined;
  const courseOf = (session: string): Course => {
    // Neighbours in the journal are mostly of one session.
    if (last?.session === session) return last.course;
    const course = known.get(session) ?? made(session);
    known.set(session, course);
    last = { session, course };
    return course;
  };
  const rewound = new Set(files.flatMap((file) => file.rewound()));
  return {
    abandoned: (session, at) =>
      session !== null && rewound.has(session) ? courseOf(session).abandoned(at) : undefined,
    branchOf: (session, seq) =>
      session === null ? undefined : valueAt(courseOf(session).branches, seq),
  };
}

/** The courses that were asked for, in files that do not change any more. */
class Courses {
  readonly #files: readonly IndexFile[];
  readonly #marks = new Map<string, Mark[]>();
  readonly #courses = new Map<string, Course>();

  constructor(files: readonly IndexFile[]) {
    this.#files = files;
  }

  marksOf(session: string): Mark[] {
    const marks = this.#marks.get(session) ?? this.#files.flatMap((file) => file.marks(session));
    this.#marks.set(session, marks);
    return marks;
  }

  courseOf(session: string): Course {
    const course = this.#courses.get(session) ?? new Course(this.marksOf(session));
    this.#courses.set(session, course);
    return course;
  }
}

const courses = new WeakMap<IndexFile, Courses>();

/** The last file says which ones are before it: they go on from each other, from the journal's first event. */
function coursesOf(files: readonly IndexFile[]): Courses {
  const last = files.at(-1);
  const found = (last && courses.get(last)) ?? new Courses(files);
  if (last !== undefined) courses.set(last, found);
  return found;
}

/** The course of one session. */
class Course {
  readonly branches: Told[] = [];
  /** In the transcript's order, with times that never fall. */
  readonly #places: { at: number; leftBy: number | undefined }[];
  readonly #isLeft: boolean;

  constructor(marks: readonly Mark[]) {
    for (const { seq, branch } of marks)
      if (branch !== undefined) this.branches.push({ seq, value: branch });
    const places = marks.filter((mark): mark is Place => mark.pos !== undefined);
    places.sort((a, b) => a.pos - b.pos || a.seq - b.seq);
    const left = leftIn(places);
    this.#isLeft = left.some((by) => by !== undefined);
    let latest = 0;
    this.#places = places.map(({ at }, i) => {
      latest = Math.max(latest, at);
      return { at: latest, leftBy: left[i] };
    });
  }

  abandoned(at: number): number | undefined {
    if (!this.#isLeft) return undefined;
    return lastWhere(this.#places, (place) => place.at <= at)?.leftBy;
  }
}

type Place = Mark & { pos: number };
type Told = { seq: number; value: string };

/** What was told last before, else first behind: a transcript tells of a branch at the end of its first turn. */
const valueAt = (told: readonly Told[], seq: number): string | undefined =>
  (lastWhere(told, (one) => one.seq <= seq) ?? told[0])?.value;

/** The last of a list whose beginning passes. */
function lastWhere<T>(list: readonly T[], passes: (one: T) => boolean): T | undefined {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(list[middle]!)) low = middle + 1;
    else high = middle;
  }
  return list[low - 1];
}

/** Of more only the last ones count. */
const REWINDS_MAX = 200;

/**
 * The rewind that left each place for the last time. A conversation goes on behind the place it went back to, so each stretch
 * between two rewinds has another one before it, and what is not on the way back to the start is left.
 * @param places by rising `pos`
 */
function leftIn(places: readonly Place[]): (number | undefined)[] {
  const left: (number | undefined)[] = places.map(() => undefined);
  const rewinds = places.flatMap(({ rewoundTo, pos, seq }, index) =>
    rewoundTo === undefined ? [] : [{ to: Math.min(rewoundTo, pos - 1), pos, seq, index }],
  );
  const stretches = [{ pos: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY }];
  for (const rewind of rewinds.slice(-REWINDS_MAX)) {
    let upto = rewind.to;
    let stretch = stretches.length - 1;
    for (let i = rewind.index - 1; i >= 0; i -= 1) {
      const { pos } = places[i]!;
      // Before this stretch came what it went back to.
      while (upto < stretches[stretch]!.pos) stretch -= 1;
      while (stretch > 0 && pos < stretches[stretch]!.pos) {
        upto = Math.min(upto, stretches[stretch]!.to);
        do stretch -= 1;
        while (upto < stretches[stretch]!.pos);
      }
      if (pos <= upto) left[i] = undefined;
      else left[i] ??= rewind.seq;
    }
    stretches.push(rewind);
  }
  return left;
}
