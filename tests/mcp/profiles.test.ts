import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Offer } from '../../src/mcp/offer.ts';
import { offerOf, PROFILES } from '../../src/mcp/profiles.ts';
import type { ProfileChoice } from '../../src/platform/config/keys.ts';
import { loadUsableConfig } from '../../src/platform/config.ts';
import { scratch } from '../support.ts';

const one = (name: string): Offer => ({
  tools: [{ ...PROFILES.core.tools[0]!, name }],
  resources: [{ ...PROFILES.core.resources[0]!, uri: name }],
  templates: [],
  prompts: [{ ...PROFILES.core.prompts[0]!, name }],
});
const TABLE = { core: one('first'), packs: one('second'), checks: one('third') };
const named = (...chosen: string[]) => {
  const { tools, resources, prompts } = offerOf(chosen as ProfileChoice[], TABLE);
  return [
    tools.map(({ name }) => name),
    resources.map(({ uri }) => uri),
    prompts.map(({ name }) => name),
  ];
};

describe('profiles', () => {
  it('offer what is in those that were chosen, once, in the order of the table', () => {
    const both = ['first', 'second'];
    expect(named('packs', 'core', 'packs')).toEqual([both, both, both]);
    expect(named('checks')).toEqual([['third'], ['third'], ['third']]);
  });

  it('are all of them by one word', () => {
    const every = ['first', 'second', 'third'];
    expect(named('all')).toEqual([every, every, every]);
  });

  it('have each tool, resource and prompt in one of them only', () => {
    const { tools, resources, templates, prompts } = offerOf(['all']);
    const names = [
      ...tools.map(({ name }) => `tool ${name}`),
      ...resources.map(({ uri }) => uri),
      ...templates.map(({ uriTemplate }) => uriTemplate),
      ...prompts.map(({ name }) => `prompt ${name}`),
    ];
    expect(new Set(names).size).toBe(names.length);
  });

  it.each([
    ['core', ['core']],
    ['[core, all]', ['core', 'all']],
  ])('are a name or a list in the settings: %s', (profile, expected) => {
    const projectDir = scratch();
    mkdirSync(path.join(projectDir, '.ben10'));
    writeFileSync(path.join(projectDir, '.ben10/config.yaml'), `mcp: {profile: ${profile}}\n`);
    const load = (env = {}) => loadUsableConfig({ projectDir, env, home: projectDir });
    expect(load().config.mcp.profile).toEqual(expected);
    const env = { BEN10_PROFILE: 'all, core' };
    expect(load(env).config.mcp.profile).toEqual(['all', 'core']);
  });
});
