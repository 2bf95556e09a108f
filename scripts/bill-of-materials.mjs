// Writes dist/rulelang-<version>.cdx.json, what rulelang is made of as CycloneDX, and compares its packages and their licences with
// licences.txt. npm makes the bill from the lock file; of the packages for development those are left that are in the bundles.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LIST = `${ROOT}licences.txt`;
const { name, version } = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
const target = `dist/${name}-${version}.cdx.json`;

const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
const bill = JSON.parse(
    execFileSync('npm', args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28, stdio: ['ignore', 'pipe', 'ignore'] }),
);

const nameOf = ({ group, name: own }) => (group === undefined || group === '' ? own : `${group}/${own}`);

/** The files whose code is in what is built. */
const sources = JSON.parse(readFileSync(`${ROOT}dist/used-files.json`, 'utf8'));
/** The packages that they are in, as the bill refers to them. */
const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8'));
const bundled = new Set(
    sources.flatMap(file => {
        const [folder] = /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/u.exec(file) ?? [];
        return folder === undefined
            ? []
            : [`${folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${packages[folder]?.version}`];
    }),
);
const isDevelopment = ({ properties = [] }) =>
    properties.some(property => property.name === 'cdx:npm:package:development' && property.value === 'true');
const components = bill.components.filter(component => !isDevelopment(component) || bundled.has(component['bom-ref']));
const kept = new Set([bill.metadata.component['bom-ref'], ...components.map(component => component['bom-ref'])]);
const dependencies = bill.dependencies
    .filter(({ ref }) => kept.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter(other => kept.has(other)) }));

// The folder, the time and a random number would make every bill another one.
const { serialNumber: _, ...whole } = bill;
const { timestamp: __, ...metadata } = bill.metadata;
metadata.component.name = name;
writeFileSync(`${ROOT}${target}`, `${JSON.stringify({ ...whole, metadata, components, dependencies }, undefined, 2)}\n`);

const licenceOf = ({ licenses = [] }) => licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(' AND ');
const lines = components.map(component => `${nameOf(component)} ${component.version} ${licenceOf(component)}`);
const listed = `${[...new Set(lines)].sort().join('\n')}\n`;
if (process.argv.includes('--update')) writeFileSync(LIST, listed);
if (readFileSync(LIST, 'utf8') !== listed) {
    console.error(`The package would hold other packages than licences.txt says:\n${listed}`);
    console.error('If that is right: node scripts/bill-of-materials.mjs --update');
    process.exit(1);
}
console.log(`${target}: ${components.length} packages`);
