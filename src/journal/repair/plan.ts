import type { Decoders } from '../../platform/codecs/codecs.ts';
import { isMisplaced } from '../append/misplaced-manifest.ts';
import {
  isForeign,
  type Layout,
  layoutOf,
  type SegmentFile,
  segmentName,
} from '../format/layout.ts';
import { mendedManifest, readManifest } from '../format/manifest.ts';
import type { JournalPorts } from '../format/ports.ts';
import { openSegment } from '../read/open.ts';
import { homeOf, ownSegments } from '../read/origins.ts';
import { passingBy } from '../read/refused.ts';
import { endOf } from '../read/segment-end.ts';
import { withoutStrays } from '../read/stray.ts';
import { type Damaged, verifyJournal } from '../verify/verify.ts';
import { besideItem, foreignItems } from './beside.ts';
import { lastSeqIn } from './files.ts';
import type { RepairItem } from './piece.ts';
import { heldBack } from './refused.ts';
import { type Patient, type Treatment, treat } from './segment.ts';

/** Kinds of damage outside of segments. */
const BESIDE = new Set(['missing', 'inbox', 'blob', 'manifest']);

/**
 * What a repair would do about everything that `verify` finds. Changes nothing.
 * @throws as `verifyJournal`
 */
export function planRepair(
  ports: JournalPorts,
  root: string,
  decoders: Decoders,
  progress?: (done: number, all: number) => void,
): RepairItem[] {
  return heldBack(planOf(passingBy(ports), root, decoders, progress));
}

function planOf(
  ports: JournalPorts,
  root: string,
  decoders: Decoders,
  progress?: (done: number, all: number) => void,
): RepairItem[] {
  const layout = layoutOf(root);
  const { damage, isManifestOfAnother } = verifyJournal(ports, root, decoders, progress);
  const isLost = isManifestOfAnother || damage.some(isManifest);
  const manifest = isLost ? manifestItem(ports, layout) : undefined;
  const items = manifest === undefined ? [] : [manifest];
  // No segment is read then. Their damage shows once the manifest is right.
  if (isManifestOfAnother && items.length > 0) return items;
  for (const { treatment } of treatments(ports, layout, damage, decoders))
    items.push(...itemsOf(treatment));
  const besides = damage.filter(
    (one) => BESIDE.has(one.kind) && !isForeign(one) && !isManifest(one),
  );
  items.push(...besides.map((one) => besideItem(ports, layout, one)));
  items.push(...foreignItems(ports, layout, damage.filter(isForeign)));
  return items;
}

/** How each damaged segment of the own origin is treated, oldest first. */
export function* treatments(
  ports: JournalPorts,
  layout: Layout,
  damage: readonly Damaged[],
  decoders: Decoders,
): Generator<{ file: SegmentFile; treatment: Treatment }> {
  const inSegments = damage.filter(isInSegment);
  const names = new Set(inSegments.map(({ segment }) => segment));
  for (const name of [...names].sort()) {
    // Listed again, because the last one may have been replaced or set aside.
    const files = ownSegments(ports, layout);
    const index = files.findIndex((one) => segmentName(one) === name);
    const file = files[index];
    if (file === undefined) continue;
    const patient = patientAt(ports, layout, files, index);
    const own = inSegments.filter(({ segment }) => segment === name);
    yield { file, treatment: treat(ports, layout, patient, own, decoders) };
  }
}

export function patientAt(
  ports: JournalPorts,
  layout: Layout,
  files: readonly SegmentFile[],
  index: number,
): Patient {
  const file = files[index]!;
  const before = files[index - 1];
  const behind = withoutStrays(ports, layout, files).slice(index + 1);
  const next = behind.find((one) => openSegment(ports, one)?.header !== undefined);
  return {
    file,
    journalId: homeOf(ports, layout)?.journalId ?? '',
    end: behind[0]?.firstSeq ?? Number.POSITIVE_INFINITY,
    readEnd: next?.firstSeq ?? Number.POSITIVE_INFINITY,
    chainBefore: before && chainBefore(ports, before, file.firstSeq),
    readBefore: () => Math.max(0, ...files.slice(0, index).map((one) => lastReadIn(ports, one))),
  };
}

const isManifest = ({ kind }: { kind: string }): boolean => kind === 'manifest';
const isInSegment = (one: Damaged): boolean => !BESIDE.has(one.kind) && !isForeign(one);

function lastReadIn(ports: JournalPorts, file: SegmentFile): number {
  const segment = openSegment(ports, file);
  return segment?.header === undefined ? 0 : lastSeqIn(segment);
}

/** Undefined unless the segment before ends directly before. */
function chainBefore(
  ports: JournalPorts,
  before: SegmentFile,
  firstSeq: number,
): Buffer | undefined {
  const end = endOf(ports, before, 0);
  return end.flags === 0 && end.seq === firstSeq - 1 ? end.chain : undefined;
}

const itemsOf = (treatment: Treatment): RepairItem[] =>
  treatment.how === 'rewrite' ? treatment.repair.items : treatment.items;

/** How opening the journal repairs its manifest; undefined if it is sound. */
export function manifestItem(ports: JournalPorts, layout: Layout): RepairItem | undefined {
  const found = readManifest(ports, layout);
  const isOther = found !== undefined && isMisplaced(ports, layout, found);
  if (found !== undefined && !isOther) return undefined;
  const isMended = !isOther && mendedManifest(ports, layout) !== undefined;
  return {
    segment: 'manifest',
    kind: 'manifest',
    offset: 0,
    bytes: ports.fs.statIfThere(layout.manifest)?.size ?? 0,
    firstSeq: null,
    lastSeq: null,
    action: isMended ? 'mend' : 'rebuild',
    what: isOther ? OTHERS : isMended ? MENDED : REBUILT,
  };
}

const MENDED =
  'a flipped bit, or changed line ends, are corrected by its checksum: nothing is lost';
const REBUILT =
  'it is rebuilt from the segments; the names of older texts beside the journal cannot be checked any more';
const OTHERS =
  "it is another journal's, or from before this one was copied, so no event is read: it is rebuilt from the segments, and their events are read again; the names of older texts beside the journal cannot be checked any more";
