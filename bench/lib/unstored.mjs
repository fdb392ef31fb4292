/**
 * For `openProject`'s `defer`: what a replay reaches is not stored; the server does that behind its answer. Each point would leave
 * a state, and in a short journal the next one find it close by: what was asked before would be measured there.
 */
export const unstored = () => undefined;
