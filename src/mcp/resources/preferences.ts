import { preferences } from '../../timetravel/preferences.ts';
import { QUOTED } from '../answer.ts';
import { PAGE_BYTES } from '../limits.ts';
import { viewWhole } from '../view.ts';
import type { Resource } from './resource.ts';

/** Read-only: only a person can retract a preference, on the command line. */
export const preferencesResource: Resource = {
  uri: 'ben10://preferences',
  name: 'preferences',
  title: 'What the user keeps asking for',
  description: 'Rules, wanted and unwanted tools, and corrections, with the events that show each.',
  mimeType: 'application/json',
  read({ project }) {
    // Again, because rules may be new since.
    const known = preferences(project).map((one) => ({ ...one, text: project.redact(one.text) }));
    const { value, shortened } = viewWhole(known, PAGE_BYTES);
    return { note: QUOTED, preferences: value, shortened };
  },
};
