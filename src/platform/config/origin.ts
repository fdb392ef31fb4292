import type { Layer } from './environment.ts';
import { configKey } from './keys.ts';

/** Where a value comes from. */
export interface Origin {
  kind: 'default' | 'contextkeeper' | 'user' | 'project' | 'variable';
  /** Not for defaults and variables. */
  file?: string;
  /** 1-based. */
  line?: number;
  variable?: string;
}

export interface LayerOf {
  kind: Exclude<Origin['kind'], 'default' | 'contextkeeper'>;
  file?: string | undefined;
  layer: Layer;
}

/** @param layers lowest first */
export function originsOf(name: string, layers: readonly LayerOf[]): Origin[] {
  const key = configKey(name);
  const given = layers.filter(({ layer }) => layer.values.has(name));
  const addsUp = key?.kind === 'patterns' || key?.kind === 'texts';
  const counted = addsUp ? given : given.slice(-1);
  if (key === undefined || counted.length === 0) return [{ kind: 'default' }];
  return counted.map(({ kind, file, layer }) => {
    const line = layer.lines?.get(name);
    return {
      kind,
      ...(file !== undefined && { file }),
      ...(line !== undefined && { line }),
      ...(kind === 'variable' && { variable: key.env }),
    };
  });
}

/** `default`, `.ben10/config.yaml:12`, `BEN10_LOG_LEVEL`. */
export function originText({ kind, file, line, variable }: Origin): string {
  if (file !== undefined) return line === undefined ? file : `${file}:${line}`;
  return variable ?? kind;
}
