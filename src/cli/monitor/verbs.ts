/** The verbs of `ben10 monitor`, in the order of its help. */
export const MONITOR_VERBS = {
  status: async () => (await import('./status.ts')).MonitorStatusCommand,
  report: async () => (await import('./report.ts')).MonitorReportCommand,
  costs: async () => (await import('./costs.ts')).MonitorCostsCommand,
  backtest: async () => (await import('./backtest.ts')).MonitorBacktestCommand,
  agents: async () => (await import('./agents.ts')).MonitorAgentsCommand,
};
