/**
 * A list as a variable or an argument has it: JSON, or texts between commas. JSON that is broken stays the text that it
 * is, for the check to refuse.
 */
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
