/** A program that prints the hashes of a render of all of a folder: `anywhere.test.ts` bundles and starts it. */
import { POLICY, renderIn } from './support.ts';

const policy = { ...POLICY, budgetTokens: 1500 };
renderIn(process.argv[2]!, ['md_dir:b', 'glob:**'], { policy }).then(
  ({ renderHash, payloadHash }) => process.stdout.write(`${renderHash} ${payloadHash}`),
);
