// Preloaded into `rulelang serve` (`node --import`): writes how long its event loop was held, in CPU time of that thread, so that a busy
// machine does not count. A line for every turn of the loop that took more than `LEAST` milliseconds.
import fs from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const LEAST = 10;
const NANOSECONDS = 1e6;
const file = process.env.LOOP_WATCH_FILE;

if (file !== undefined && isMainThread && process.argv.includes('serve')) {
    const out = fs.openSync(file, 'a');
    const schedule = fs.openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
    const bytes = Buffer.alloc(128);
    const cpu = () => Number(bytes.toString('latin1', 0, fs.readSync(schedule, bytes, 0, bytes.length, 0)).split(' ', 1)[0]) / NANOSECONDS;
    let last = cpu();
    setInterval(() => {
        const now = cpu();
        if (now - last > LEAST) fs.writeSync(out, `${(now - last).toFixed(1)}\n`);
        last = now;
    }, 1).unref();
}
