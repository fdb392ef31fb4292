import { Ben10Error } from '../../platform/errors.ts';

/** @throws Ben10Error USAGE for anything but a whole number from `min`, up to `max` where there is one */
export function wholeNumber(option: string, text: string, min: number, max?: number): number {
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= min && value <= (max ?? value)) return value;
  const range = max === undefined ? `from ${min}` : `from ${min} to ${max}`;
  throw new Ben10Error('USAGE', `${option} takes a whole number ${range}, not "${text}"`, {
    next: `For example: ${option} ${Math.max(min, 20)}`,
  });
}

/** @throws Ben10Error USAGE for anything but one of `choices` */
export function oneOf<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  throw new Ben10Error('USAGE', `${option} takes one of ${choices.join(', ')}, not "${text}"`, {
    next: `For example: ${option} ${choices[0]}`,
  });
}
