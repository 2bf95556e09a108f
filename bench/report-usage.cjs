// Loaded before a measured program (node --require): writes what the whole process used when it ends. A thread writes as well
// when it ends, and the main one after it; asking which one this is would load more than what is measured.
const fs = require('node:fs');

process.on('exit', () => {
    const usage = process.resourceUsage();
    fs.writeFileSync(process.env.BENCH_USAGE, JSON.stringify({ ...usage, maxRSS: peak() ?? usage.maxRSS }));
});

/** The most kilobytes that the program held. What the system calls `maxRSS` is at least what held the process that started it. */
function peak() {
    if (process.platform !== 'linux') return undefined;
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(fs.readFileSync('/proc/self/status', 'latin1'))?.[1]);
}
