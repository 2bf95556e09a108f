import { linkSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * The same extension for VS Code 1.100, whose servers of the Model Context Protocol are a proposal under another name in the manifest: what it became in
 * 1.101 is what the extension calls.
 */
export function withProposedMcp(extension: string): string {
    const folder = mkdtempSync(join(tmpdir(), 'rulelang-extension-'));
    for (const name of readdirSync(extension, { recursive: true }).map(String)) {
        const from = join(extension, name);
        // The editor knows an extension by where its files are: links that lead elsewhere would be another one.
        if (statSync(from).isDirectory()) mkdirSync(join(folder, name), { recursive: true });
        else if (name !== 'package.json') linkSync(from, join(folder, name));
    }
    const { contributes, ...manifest } = JSON.parse(readFileSync(join(extension, 'package.json'), 'utf8'));
    const { mcpServerDefinitionProviders, ...others } = contributes;
    const proposed = {
        ...manifest,
        enabledApiProposals: ['mcpConfigurationProvider'],
        contributes: { ...others, modelContextServerCollections: mcpServerDefinitionProviders },
    };
    writeFileSync(join(folder, 'package.json'), JSON.stringify(proposed));
    return folder;
}
