import fc from 'fast-check';

/** Properties are tried with the same values each time, so that a failure belongs to a change; `RANDOM_SEED` takes others. */
fc.configureGlobal({ seed: Number(process.env.RANDOM_SEED ?? 20_777) });

export { fc };
