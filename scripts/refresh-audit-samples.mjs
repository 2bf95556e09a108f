// Takes a new snapshot of package-lock.json for the sample `audit`: node scripts/refresh-audit-samples.mjs, then
// node scripts/generate-samples.mjs and npx vitest run test/samples --update.
import { readFile, writeFile } from 'node:fs/promises';
import { lockSnapshot } from './samples-audit.mjs';

const lock = JSON.parse(await readFile(new URL('../package-lock.json', import.meta.url), 'utf8'));
await writeFile(new URL('../samples/audit/lock-snapshot.json', import.meta.url), `${JSON.stringify(lockSnapshot(lock), null, 4)}\n`);
