import { type Disposable, type LogOutputChannel, type TextDocument, workspace } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { type ConceptDocument, readConceptUri } from './concept-uri.ts';
import type { Projects } from './projects.ts';

/** Returns the relations that the other concepts of its project supply to a concept. */
export async function suppliedRelations(projects: Projects, { project, concept }: ConceptDocument) {
    const { concepts } = await projects.contents(project);
    return concepts
        .filter(({ concept_name }) => concept_name !== concept)
        .map(({ concept_name: name, columns }) => ({ name, columns: columns.map(({ name, type }) => ({ name, type })) }));
}

/** Has the language server know what the other concepts of its project supply to every concept that is open. */
export function supplyConcepts(projects: Projects, server: Server, log: LogOutputChannel, subscriptions: Disposable[]): void {
    const supply = async ({ uri, languageId }: TextDocument): Promise<void> => {
        const document = languageId === 'rulelang' ? readConceptUri(uri) : undefined;
        if (document === undefined || document.connection !== projects.connection()?.id) return;
        try {
            const relations = await suppliedRelations(projects, document);
            await server.ask('rulelang/supplyConcept', { uri: uri.toString(), relations });
        } catch (reason) {
            log.debug(`${uri.path} does not know the other concepts: ${reason instanceof Error ? reason.message : reason}`);
        }
    };
    const supplyAll = (): void => workspace.textDocuments.forEach(document => void supply(document));
    subscriptions.push(workspace.onDidOpenTextDocument(supply), projects.changed(supplyAll));
}
