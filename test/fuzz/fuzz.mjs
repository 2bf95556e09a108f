// The random searches of the tests, with ever new seeds for a while; tells the smallest case of what is wrong, and ends with 1 then.
//
//   npm run fuzz -- --minutes 10 --seed 1 --only random-programs
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values } = parseArgs({
    options: {
        minutes: { type: 'string', default: '10' },
        seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
        only: { type: 'string' },
    },
});
const [minutes, seed] = [values.minutes, values.seed].map(Number);
if (!(minutes >= 0) || !Number.isSafeInteger(seed)) throw new Error('--minutes and --seed take numbers');
process.env.FUZZ_MINUTES = String(minutes);
process.env.FUZZ_SEED = String(seed);
if (values.only !== undefined) process.env.FUZZ_ONLY = values.only;

const vitest = await startVitest('test', [], {
    config: false,
    run: true,
    include: ['test/fuzz/all.fuzz.ts'],
    testTimeout: 2 ** 31 - 1,
    disableConsoleIntercept: true,
    reporters: [['default', { summary: false }]],
});
await vitest.close();
