import { parseArgs } from 'node:util';

/** The command line's options; `help` was asked for and is printed then. Ends the program with 2 on wrong ones. */
export function optionsOf(usage, options) {
  try {
    const { values } = parseArgs({
      options: { ...options, help: { type: 'boolean', short: 'h' } },
    });
    if (values.help) console.log(usage);
    return values;
  } catch (error) {
    console.error(`${error.message}\n\n${usage}`);
    process.exit(2);
  }
}
