/** Parses JSON, or texts separated by commas. Broken JSON stays text, which the check refuses. */
export function listFromText(text: string): unknown {
  if (!/^\s*\[/.test(text)) {
    return text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
  }
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
