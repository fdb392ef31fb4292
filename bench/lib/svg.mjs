// Colours that stand on white and on black alike; only text and lines follow the reader's theme.
export const STYLE = `
  text { font: 12px system-ui, sans-serif; fill: #24292f; }
  .title { font-size: 15px; font-weight: 600; }
  .less { fill: #6e7781; }
  .line { stroke: #8c959f; }
  .pass { fill: #2da44e; } .missed { fill: #d1495b; } .free { fill: #6e8eb8; }
  .goal { stroke: #bf8700; stroke-width: 2; stroke-dasharray: 3 2; }
  .spread { stroke: #57606a; stroke-width: 1.5; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .less { fill: #8b949e; } .line { stroke: #6e7681; } .spread { stroke: #c9d1d9; }
  }`;

/** On what something was measured, as `machine()` in report.mjs has it: one line. */
export function aboutOf({ date, node, cpu, commit, versions }) {
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${date.slice(0, 10)} · node ${node} · ${cpu} · ${commit ?? 'no commit'} · ${programs.join(', ')}`;
}

export const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
