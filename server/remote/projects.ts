import { basename, dirname, join, resolve } from 'node:path';
import { say } from '#language/program/say.ts';
import type { PlatformClient } from '#server/client/platform-client.ts';
import { chosenFile } from '#server/files/grants.ts';
import { readNamedText } from '#server/files/named-text.ts';
import { accessContext } from '#server/files/open-granted.ts';
import { writeTarget } from '#server/files/write-granted.ts';
import { refuse } from '#server/notices/refusal.ts';
import { JsonText, jsonOf } from '#server/protocol/json-text.ts';
import type { Scope } from './concepts.ts';
import { printGivenTable } from './print-rows.ts';
import type { Terminal } from './terminal.ts';

/** A call of `rulelang project`. */
export type ProjectRequest = { readonly scope: Scope } & (
    | { readonly action: 'list'; readonly format: 'table' | 'json' }
    | { readonly action: 'save'; readonly project: string; readonly name: string }
    | { readonly action: 'export'; readonly project: string; readonly file?: string }
    | { readonly action: 'import'; readonly file: string }
);

/** Does what is asked for. */
export async function askProjects(request: ProjectRequest, client: PlatformClient, terminal: Terminal): Promise<void> {
    const { scope } = request;
    switch (request.action) {
        case 'list': {
            const projects = await client.listProjects({ query: { scopes: scope } });
            if (request.format === 'json') terminal.print(`${new JsonText(jsonOf(projects)).indented}\n`);
            else
                printGivenTable(
                    {
                        columns: ['project', 'name', 'concepts', 'changed'],
                        types: ['STRING', 'STRING', 'INT', 'STRING'],
                        rows: projects.map(({ project_id, name, concept_count, updated_at }) => [
                            project_id,
                            name,
                            concept_count,
                            updated_at,
                        ]),
                    },
                    terminal,
                );
            return;
        }
        case 'save': {
            const { project_id, created } = await client.saveProject({
                body: { project: { id: request.project, name: request.name, scope } },
            });
            terminal.say(created ? say`Created project '${project_id}'\n` : say`Changed project '${project_id}'\n`);
            return;
        }
        case 'export': {
            const exported = await client.exportProject({ body: { project_id: request.project, scope } });
            const text = `${exported.indented}\n`;
            if (request.file === undefined) terminal.print(text);
            else {
                writeWhole(request.file, text);
                terminal.say(say`Wrote '${request.file}'\n`);
            }
            return;
        }
        case 'import': {
            const { new_project_id } = await client.importProject({ body: { export_data: readExport(request.file), scope } });
            terminal.print(`${new_project_id}\n`);
            return;
        }
    }
}

function readExport(file: string): JsonText {
    const { text } = readNamedText(file);
    try {
        const value: unknown = JSON.parse(text);
        if (typeof value === 'object' && value !== null && !Array.isArray(value)) return new JsonText(text);
    } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
    }
    refuse(say`'${file}' is no JSON object; 'rulelang project export' writes one`, 'service');
}

/** The file appears whole or not at all. */
function writeWhole(path: string, text: string): void {
    const folder = dirname(resolve(path));
    const access = accessContext(chosenFile(join(folder, basename(path))));
    const file = writeTarget({ base: folder, parts: [basename(path)], shown: path }, access).prepare();
    try {
        file.write(new TextEncoder().encode(text));
        file.finish();
        file.commit();
    } finally {
        file.discard();
    }
}
