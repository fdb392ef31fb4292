/** Bundles beside the command line's own, which the build leaves to be loaded when they are needed. */
declare module '*/mcp.cjs';
declare module '*/mcp-http.cjs';
