import { nearName } from '../../platform/config/nearest.ts';
import { Ben10Error } from '../../platform/errors.ts';

/** @throws Ben10Error USAGE unless it is a whole number from `min` to `max` */
export function wholeNumber(option: string, text: string, min: number, max?: number): number {
  const value = Number(text);
  if (/^\d{1,15}$/.test(text) && value >= min && value <= (max ?? value)) return value;
  const range = max === undefined ? `from ${min}` : `from ${min} to ${max}`;
  throw new Ben10Error('USAGE', `${option} takes a whole number ${range}, not "${text}"`, {
    next: `For example: ${option} ${Math.max(min, 20)}`,
  });
}

/** The same for an option that may be absent. */
export const optionalNumber = (
  option: string,
  text: string | undefined,
  min: number,
  max?: number,
) => (text === undefined ? undefined : wholeNumber(option, text, min, max));

/** @throws Ben10Error USAGE unless it is one of `choices` */
export function oneOf<T extends string>(option: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const near = nearName(text, choices);
  const hint = near === undefined ? '' : `; did you mean "${near}"?`;
  const what = `${option} takes one of ${choices.join(', ')}, not "${text}"${hint}`;
  throw new Ben10Error('USAGE', what, { next: `For example: ${option} ${near ?? choices[0]}` });
}
