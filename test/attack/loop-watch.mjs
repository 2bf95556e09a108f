// Preloaded into `rulelang serve` (`node --import`): writes how long its event loop was held, in CPU time of that thread, so that a busy
// machine does not count. A line for every turn of the loop that took more than `LEAST` milliseconds: `turn 12.3`. On SIGUSR2 it does what
// turns are measured by, reads a JSON text of `MEMBERS` members, and writes how long that took: `measure 98.7`.
import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const LEAST = 10;
const MEMBERS = 250_000;
const NANOSECONDS = 1e6;
const file = process.env.LOOP_WATCH_FILE;

if (file !== undefined && isMainThread && process.argv.includes('serve')) {
    const out = fs.openSync(file, 'a');
    const schedule = fs.openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    const bytes = Buffer.alloc(128);
    const cpu = () => Number(bytes.toString('latin1', 0, fs.readSync(schedule, bytes, 0, bytes.length, 0)).split(' ', 1)[0]) / NANOSECONDS;
    const text = `{${Array.from({ length: MEMBERS }, (_, i) => `"k${i}":${i}`)}}`;
    let last = cpu();
    const endTurn = () => {
        const now = cpu();
        if (now - last > LEAST) fs.writeSync(out, `turn ${(now - last).toFixed(1)}\n`);
        last = now;
    };
    setInterval(endTurn, 1).unref();
    process.on('SIGUSR2', () => {
        endTurn();
        JSON.parse(text);
        const now = cpu();
        fs.writeSync(out, `measure ${(now - last).toFixed(1)}\n`);
        last = now;
    });
}
