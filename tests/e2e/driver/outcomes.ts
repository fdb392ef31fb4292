import { toolResults, toolUses } from './requests.ts';
import type { ModelRequest } from './scenario.ts';

export function outcomesSeenByModel(requests: ModelRequest[]): string[] {
  const results = toolResults(requests).map(
    ({ toolUseId, isError }) => [toolUseId, isError] as const,
  );
  return lines(new Map(toolUses(requests).map(({ id, name }) => [id, name])), new Map(results));
}

/** A call without a result reads "open", a result without a call "unknown". */
function lines(names: Map<string, string>, results: Map<string, boolean>): string[] {
  const ids = [...new Set([...names.keys(), ...results.keys()])].sort();
  return ids.map((id) => {
    const failed = results.get(id);
    const outcome = failed === undefined ? 'open' : failed ? 'failed' : 'ok';
    return `${id} ${names.get(id) ?? 'unknown'} ${outcome}`;
  });
}
