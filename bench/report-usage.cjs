// Loaded before a measured program (node --require): writes what the whole process used when it ends. A thread writes as well
// when it ends, and the main one after it; asking which one this is would load more than what is measured.
process.on('exit', () => require('node:fs').writeFileSync(process.env.BENCH_USAGE, JSON.stringify(process.resourceUsage())));
