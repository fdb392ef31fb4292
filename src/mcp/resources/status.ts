import { statusData } from '../tools/status.ts';
import type { Resource } from './resource.ts';

export const statusResource: Resource = {
  uri: 'ben10://status',
  name: 'status',
  title: 'Journal status',
  description: 'Whether this project is being recorded, and how the record is.',
  mimeType: 'application/json',
  read: statusData,
};
