import { expect, test } from 'vitest';
import { reportText } from '#extension/commands/report-state.ts';

test('a report has versions, counts and codes, and of settings only what says nothing about the user', () => {
    const text = reportText(
        {
            versions: { rulelang: '1.0.0', system: 'linux x64' },
            trusted: true,
            programs: [{ lines: 12, codes: { RL1001: 2 } }],
            runs: [{ ended: 'failed', milliseconds: 12.4, codes: ['RT064'] }],
            services: 'hosted',
            given: { 'run.maxMemory': 512, 'run.inline': false, 'run.allowNet': ['db.canary.example'], 'python.path': '/home/canary' },
        },
        { what: 'What', steps: 'Steps', state: 'State' },
    );
    expect(text).toBe(`### What


### Steps

1. 

### State

\`\`\`text
rulelang: 1.0.0
system: linux x64
workspace trusted: true
services: hosted
setting run.maxMemory: 512
setting run.inline: false
setting run.allowNet: set
setting python.path: set
open program: 12 lines; problems: 2 RL1001
last run: failed after 12 ms; reports: RT064
\`\`\`
`);
});
