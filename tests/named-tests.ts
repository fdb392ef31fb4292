/** Whether a test of that name stands in a text: not one that is passed over, and not a group of tests. */
export function hasTest(text: string, name: string): boolean {
  const words = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const literal = new RegExp(`([\\w.]+|\\))\\(\\s*(['"\`])${words}\\2\\s*,`, 'g');
  return [...text.matchAll(literal)].some(([, callee]) => /^(?:it|test|\))$/.test(callee!));
}
