// Writes the generated data of the samples: node scripts/generate-samples.mjs [folder], by default samples/.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditData } from './samples-audit.mjs';
import { controlData } from './samples-control.mjs';
import { genealogyData } from './samples-genealogy.mjs';
import { reachabilityData } from './samples-reachability.mjs';

const samples = fileURLToPath(new URL('../samples', import.meta.url));
const target = process.argv[2] ?? samples;
const snapshot = JSON.parse(await readFile(join(samples, 'audit', 'lock-snapshot.json'), 'utf8'));

await write('control', controlData());
await write('reachability', reachabilityData());
await write('genealogy', genealogyData());
await write('audit', auditData(snapshot));

async function write(sample, files) {
    const folder = join(target, sample, 'data');
    await mkdir(folder, { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
}
