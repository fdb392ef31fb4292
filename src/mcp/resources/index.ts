import { contextResource } from './context.ts';
import type { Resource } from './resource.ts';
import { statusResource } from './status.ts';

export type { Resource } from './resource.ts';

export const RESOURCES: readonly Resource[] = [statusResource, contextResource];
