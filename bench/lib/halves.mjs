import { createHash } from 'node:crypto';

/** What is set or mended by looking, and what it is measured on. */
export const HALVES = ['tuning', 'held-out'];

/** Of a project, by its name alone: nobody chooses. */
export const halfOf = (name) => HALVES[createHash('sha256').update(name).digest()[0] % 2];
