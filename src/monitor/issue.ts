const ISSUE_CHARS = 80;

/** Their names for people, by `tracker.kind`. */
export const TRACKERS: Readonly<Record<string, string>> = { linear: 'Linear', github: 'GitHub' };

/** The first name of an issue in these texts. @param pattern the source of a regular expression */
export function issueIn(pattern: string, texts: readonly string[]): string | null {
  try {
    const issue = new RegExp(pattern);
    for (const text of texts) {
      const [found] = issue.exec(text) ?? [];
      if (found) return found.slice(0, ISSUE_CHARS);
    }
  } catch {
    // No pattern: the settings' check says so.
  }
  return null;
}
