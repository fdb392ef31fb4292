import { contextStatus } from '../tools/context-status.ts';
import type { Resource } from './resource.ts';

export const monitorResource: Resource = {
  uri: 'ben10://monitor',
  name: 'monitor',
  title: 'How full the context is',
  description: 'Percent, level, forecast and checkpoint of the last active session.',
  mimeType: 'application/json',
  read: contextStatus,
};
