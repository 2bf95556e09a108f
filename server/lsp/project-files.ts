import { pathToFileURL } from 'node:url';
import { DiagnosticSeverity } from 'vscode-languageserver/node';
import { say } from '#language/program/say.ts';
import { projectSettings } from '#server/files/project-settings.ts';
import { positionAt } from '#server/notices/source-texts.ts';
import type { LanguageServer } from './language-server.ts';
import { editorNeeds } from './project-needs.ts';

/**
 * Tells what is wrong in the files of projects at the top of the folders of the workspace, what they name and is not there, and in a
 * workspace that the user trusts what they need and is not granted, at the places in them.
 */
export function projectFiles(server: LanguageServer): () => void {
    const { connection, folders, trust } = server;
    let told: readonly string[] = [];
    return () => {
        const found = folders.roots().flatMap(root => {
            const project = projectSettings(root, root);
            const needs = trust.granted ? editorNeeds(project, server) : [];
            const unmet = needs.map(({ what, remedy, span }) => ({ message: say`'${what}' is needed and not granted: ${remedy}`, span }));
            const { found } = project;
            return found === undefined ? [] : [{ ...found, told: [...found.complaints, ...found.missing, ...unmet] }];
        });
        const uris = found.map(({ path }) => pathToFileURL(path).href);
        for (const uri of told) if (!uris.includes(uri)) void connection.sendDiagnostics({ uri, diagnostics: [] });
        for (const [index, { source, told: complaints }] of found.entries()) {
            const diagnostics = complaints.map(({ message, span }) => ({
                message,
                source: 'rulelang',
                severity: DiagnosticSeverity.Warning,
                range: { start: positionAt(source, span.start), end: positionAt(source, span.end) },
            }));
            void connection.sendDiagnostics({ uri: uris[index] ?? '', diagnostics });
        }
        told = uris;
    };
}
