import { type Disposable, type LogOutputChannel, type TextDocument, workspace } from 'vscode';
import type { Server } from '#extension/client.ts';
import { readConceptUri } from './concept-uri.ts';
import type { Projects } from './projects.ts';

/** Has the language server know what the other concepts of its project supply to every concept that is open. */
export function supplyConcepts(projects: Projects, server: Server, log: LogOutputChannel, subscriptions: Disposable[]): void {
    const supply = async ({ uri, languageId }: TextDocument): Promise<void> => {
        const document = languageId === 'rulelang' ? readConceptUri(uri) : undefined;
        if (document === undefined || document.connection !== projects.connection()?.id) return;
        try {
            const { concepts } = await projects.contents(document.project);
            const relations = concepts
                .filter(({ concept_name }) => concept_name !== document.concept)
                .map(({ concept_name: name, columns }) => ({ name, columns: columns.map(column => column.name) }));
            await server.ask('rulelang/supplyConcept', { uri: uri.toString(), relations });
        } catch (reason) {
            log.debug(`${uri.path} does not know the other concepts: ${reason instanceof Error ? reason.message : reason}`);
        }
    };
    const supplyAll = (): void => workspace.textDocuments.forEach(document => void supply(document));
    subscriptions.push(workspace.onDidOpenTextDocument(supply), projects.changed(supplyAll));
}
