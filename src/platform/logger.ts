/** Diagnostics go to stderr, one line each: stdout belongs to the MCP protocol. */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const RANK: Record<LogLevel, number> = { debug: 0, info: 1, warn: 2, error: 3 };

export type Logger = Record<LogLevel, (message: string) => void>;

export function createLogger(
  level: LogLevel,
  write: (line: string) => void = (line) => void process.stderr.write(line),
): Logger {
  const at = (own: LogLevel) => (message: string) => {
    if (RANK[own] >= RANK[level]) write(`ben10 ${own}: ${message.replaceAll('\n', ' ')}\n`);
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

export function parseLogLevel(value: string | undefined): LogLevel | undefined {
  return value !== undefined && Object.hasOwn(RANK, value) ? (value as LogLevel) : undefined;
}
