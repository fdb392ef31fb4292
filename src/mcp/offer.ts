import type { Prompt } from './prompts/prompt.ts';
import type { Resource, ResourceTemplate } from './resources/resource.ts';
import type { Tool } from './tool.ts';

/** What a client is offered; each list in the order in which it is told. */
export interface Offer {
  tools: readonly Tool[];
  resources: readonly Resource[];
  /** Many resources of a kind, each named by a part of its address. */
  templates: readonly ResourceTemplate[];
  prompts: readonly Prompt[];
}
