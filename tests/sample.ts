import fc from 'fast-check';

// The same inputs in every run. `BEN10_SEED=7 npm test` tries others, and so does the soak.
fc.configureGlobal({ seed: Number(process.env.BEN10_SEED) });
