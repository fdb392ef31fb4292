import * as done from './done.mjs';
import * as names from './names.mjs';
import * as said from './said.mjs';

export default {
  ...names.names,
  authors: names.authors,
  requests: names.requests,
  agent: names.agent,
  steps: names.steps,
  tools: names.tools,
  ...said,
  ...done,
};
