import { preferences } from '../../timetravel/preferences.ts';
import { QUOTED } from '../answer.ts';
import { ANSWER_BYTES_MAX, ENVELOPE_BYTES } from '../limits.ts';
import { viewWhole } from '../view.ts';
import type { Resource } from './resource.ts';

/** A resource, not a tool: who retracts one is a person, at the command line. */
export const preferencesResource: Resource = {
  uri: 'ben10://preferences',
  name: 'preferences',
  title: 'What the user keeps asking for',
  description: 'Rules, tools wanted or not, and corrections, with the events that show each.',
  mimeType: 'application/json',
  read({ project }) {
    // Once more: what was recorded before a rule was there may hold a secret.
    const known = preferences(project).map((one) => ({ ...one, text: project.redact(one.text) }));
    const { value, shortened } = viewWhole(known, ANSWER_BYTES_MAX - ENVELOPE_BYTES);
    return { note: QUOTED, preferences: value, shortened };
  },
};
