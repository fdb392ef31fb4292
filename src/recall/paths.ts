/** Paths inside the project are shown from its folder on. */
export function pathShortener(directory: string | null): (text: string) => string {
  const prefix = directory === null || directory.length < 2 ? undefined : `${directory}/`;
  return (text) => (prefix === undefined ? text : text.replaceAll(prefix, ''));
}
