import type { PackSnapshotRecord } from '../projections/folds/packs.ts';
import type { KeptPayload } from './kept/payload-file.ts';
import type { Candidate, Lines } from './render/pack.ts';
import type { Rendered } from './render/render.ts';
import { suffixOf } from './render/source.ts';

/** The keys are the contract with programs. @param payload undefined where it was not asked for */
export function renderedData(rendered: Rendered, payload?: Buffer) {
  const isRefused = rendered.payload.length === 0;
  return {
    budget_tokens: rendered.policy.budgetTokens,
    token_estimate: rendered.tokens,
    included: rendered.included.map(({ candidate, lines, tokens, bytes, ...item }) => ({
      ...whatOf({ ...candidate, ...(lines && { lines }) }),
      tokens,
      bytes,
      redactions: item.redactions,
      changes: item.changes,
      ...(item.isFilled && { filled: true }),
    })),
    excluded: rendered.excluded.map(({ candidate, reason, tokens, isEstimate }) => ({
      ...whatOf(candidate),
      ...(tokens !== undefined && { tokens }),
      ...(isEstimate && { estimate: true }),
      reason,
    })),
    redactions: rendered.redactions,
    render_hash: rendered.renderHash,
    payload_hash: rendered.payloadHash,
    payload_text: payload === undefined || isRefused ? null : payload.toString('utf8'),
  };
}

/** Of a snapshot: as above, but what was left out is only counted. */
export const keptData = (record: PackSnapshotRecord, { manifest, payload }: KeptPayload) => ({
  budget_tokens: record.policy.budgetTokens,
  token_estimate: record.tokens,
  included: manifest.map(({ artifact, lines, sha256: _, offset: __, oids: ___, ...item }) => ({
    id: artifact === '' ? null : artifact,
    ...(lines !== undefined && { lines: linesOf(lines) }),
    ...item,
  })),
  left: record.left,
  redactions: record.redactions,
  render_hash: record.renderHash,
  payload_hash: record.payloadHash,
  payload_text: payload.toString('utf8'),
});

const linesOf = (lines: Lines): string => suffixOf(lines).replace(/[#L]/g, '');

const whatOf = ({ artifact, label, attributes: { path }, lines, events }: Candidate) => ({
  id: artifact.id === '' ? null : artifact.id,
  kind: artifact.kind,
  source: artifact.source,
  label,
  ...(path !== undefined && { path }),
  ...(lines !== undefined && { lines: linesOf(lines) }),
  priority: artifact.priority,
  ...(events !== undefined && { events }),
});
