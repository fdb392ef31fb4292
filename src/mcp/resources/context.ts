import {
  compileRedaction,
  type RedactionOptions,
  redactStored,
} from '../../capture/redaction/index.ts';
import { integrityCacheOf } from '../../journal/read/integrity-cache.ts';
import { unreadableIn } from '../../log/unreadable.ts';
import { optionsOf } from '../../project/open.ts';
import { lostData, lostTo } from '../../timetravel/lost-states.ts';
import { replay, withoutExcludedFiles } from '../../timetravel/replay.ts';
import { QUOTED } from '../answer.ts';
import type { ServerContext } from '../context.ts';
import { PAGE_BYTES } from '../limits.ts';
import { tellUnreadable } from '../unreadable.ts';
import { viewWhole } from '../view.ts';
import type { Resource } from './resource.ts';

export const contextResource: Resource = {
  uri: 'ben10://context',
  name: 'context',
  title: 'Context summary',
  description: 'What the last active session knows, did and has open: shortened, secrets redacted.',
  mimeType: 'application/json',
  read(context) {
    const { project } = context;
    const { state, ...about } = withoutExcludedFiles(replay(project), project.excludedBy);
    // Again, because rules may be new since; before shortening, because half a secret is not recognised.
    const redacted = redactStored(state, rulesOf(context)).value;
    const { value, shortened } = viewWhole(redacted, PAGE_BYTES);
    const damage = integrityCacheOf(project.ports, project.reader).damage();
    const lost = lostTo(project, about);
    const gaps = {
      ...tellUnreadable(unreadableIn(project, damage)),
      ...(lost && { lost: lostData(lost) }),
    };
    return { note: QUOTED, ...about, state: value, shortened, ...gaps };
  },
};

const compiled = new WeakMap<ServerContext, RedactionOptions>();

export function rulesOf(context: ServerContext): RedactionOptions {
  let options = compiled.get(context);
  if (options === undefined) {
    options = compileRedaction(optionsOf(context.settings.config).redaction).options;
    compiled.set(context, options);
  }
  return options;
}
