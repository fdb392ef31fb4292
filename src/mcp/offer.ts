import type { Prompt } from './prompts/prompt.ts';
import type { Resource, ResourceTemplate } from './resources/resource.ts';
import type { Tool } from './tool.ts';

/** What a client is offered. */
export interface Offer {
  tools: readonly Tool[];
  resources: readonly Resource[];
  templates: readonly ResourceTemplate[];
  prompts: readonly Prompt[];
}
