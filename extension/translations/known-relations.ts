import type { TextDocument, Uri } from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { readConceptUri } from '#extension/projects/concept-uri.ts';
import { type Projects, placeOf } from '#extension/projects/projects.ts';

interface Relation {
    readonly name: string;
    readonly columns: readonly string[];
}

/** A relation with the types of its columns, as answers of the platform call them. */
interface TypedRelation {
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Relations that rules may read beside the program that they go into. */
export interface KnownRelations {
    /** Concepts and connected sources that a query may mean by its tables; none where no services are connected. */
    tables(target: TextDocument | undefined): Promise<readonly Relation[]>;
    /** Has the language server know what the concepts of the project supply to a document, unless it is a program of its own. */
    supply(document: Uri, target: TextDocument | undefined): Promise<void>;
}

export function createKnownRelations(projects: Projects, server: Server): KnownRelations {
    /** Of the project of the concept, else of all. */
    const concepts = async (target: TextDocument | undefined): Promise<TypedRelation[]> => {
        const document = target && readConceptUri(target.uri);
        if (target !== undefined && document === undefined) return [];
        const places = document === undefined ? (await projects.list()).map(placeOf) : [document.project];
        const all = await Promise.all(places.map(place => projects.contents(place)));
        const others = all.flatMap(contents => contents.concepts).filter(({ concept_name }) => concept_name !== document?.concept);
        return others.map(({ concept_name: name, columns }) => ({ name, columns }));
    };
    const sources = async (): Promise<TypedRelation[]> => {
        const listed = await projects.connection()?.client.listSources({ query: { scope: 'user' } });
        return (listed ?? []).map(({ name, columns }) => ({ name, columns }));
    };
    /** Unreachable services give no relations; their views report the failure. */
    const unlessFailed = (asked: Promise<TypedRelation[]>): Promise<TypedRelation[]> => asked.catch(() => []);
    return {
        async tables(target) {
            const found = await Promise.all([unlessFailed(concepts(target)), unlessFailed(sources())]);
            const named = found.flat().filter(({ name }, i, all) => name.length > 0 && all.findIndex(one => one.name === name) === i);
            return named.map(({ name, columns }) => ({ name, columns: columns.map(column => column.name) }));
        },
        async supply(document, target) {
            const relations = await unlessFailed(concepts(target));
            if (relations.length > 0) await server.ask('rulelang/supplyConcept', { uri: document.toString(), relations });
        },
    };
}
