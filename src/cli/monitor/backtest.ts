import { Command } from 'clipanion';
import { backtest, errorsOf } from '../../monitor/backtest.ts';
import { loadUsableConfig } from '../../platform/config.ts';
import { forecastHistory } from '../../projections/folds/forecast-history.ts';
import { Ben10Command, type Exit } from '../command.ts';
import { withJournal } from '../open.ts';
import { plural } from '../ui/format.ts';
import { errorChart } from '../ui/sizes.ts';

export class MonitorBacktestCommand extends Ben10Command {
  static override paths = [['monitor', 'backtest']];
  static override exits = { 0: 'measured', 1: 'no context came far enough to measure anything' };
  static override usage = Command.Usage({
    description: 'How far forecasts were off in this project.',
    details: `
      Every forecast of the newest contexts is made anew, with what was known at its time, and compared with the minutes of work that it
      took: to each level, and to the client's own compaction. Beside it are two that any program could make: by the tokens a
      minute of the newest messages (EWMA), and of all so far.

      With \`--json\`: {"contexts", "crossings", "forecasts", "errors": {"ours", "ewma", "soFar", "covered", "width"}, "usual":
      {"rate", "middle", "low", "high"}}. Errors are medians in percent; "covered" is the share of 80% intervals that held what came,
      "width" their upper end over their lower one; "rate" is in tokens a minute.
    `,
    examples: [['Can I trust the forecast?', '$0 monitor backtest']],
  });

  async execute(): Promise<Exit> {
    return withJournal(this.context, (project) => {
      const { env } = this.context;
      const { monitor } = loadUsableConfig({ projectDir: project.dir, env }).config;
      const { segments } = project.states.at(forecastHistory, null).state;
      const { trials, crossings, usual } = backtest(segments, monitor.levels, monitor.window);
      const errors = errorsOf(trials);
      const [contexts, forecasts] = [segments.length, trials.length];
      const found = { contexts, crossings, forecasts, errors, usual };
      const none = 'No context came to a level yet, so that there is nothing to compare.';
      return this.answerIf(errors !== null, found, none, () => [
        `${plural(forecasts, 'forecast')} of ${plural(crossings, 'crossing')} in ${plural(contexts, 'context')}, off by (median):`,
        ...errorChart(errors!),
        `The 80% interval held ${Math.round(errors!.covered)}% of what came; its upper end is ${errors!.width.toFixed(1)} times its lower one.`,
        `Usual here: ${Math.round(usual.rate)} tokens a minute of work.`,
      ]);
    });
  }
}
