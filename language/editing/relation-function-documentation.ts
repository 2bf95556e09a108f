import { codeBlock } from './markdown.ts';
import { relationSignature } from './signatures.ts';

export interface RelationFunctionText {
    readonly name: string;
    readonly columns: string;
    readonly documentation: string;
}

/** The relation functions of section 7.2, with the columns of their results. */
export const RELATION_FUNCTIONS: readonly RelationFunctionText[] = [
    { name: 'TC', columns: 'X, Y', documentation: 'Transitive closure of a binary relation.' },
    { name: 'PATHS', columns: 'X, Y', documentation: 'Pairs that a path connects.' },
    { name: 'ASP', columns: 'X, Y, Cost', documentation: 'Shortest paths between all pairs of a weighted relation.' },
    { name: 'SSSP', columns: 'Source, Target, Cost', documentation: 'Shortest paths from one source of a weighted relation.' },
    { name: 'BFS', columns: 'X, Y, Level', documentation: 'Distances in steps.' },
    { name: 'CC', columns: 'X, Component', documentation: 'Connected components.' },
    { name: 'WCC', columns: 'X, Component', documentation: 'Weakly connected components.' },
    { name: 'TRI', columns: 'X, Y, Z', documentation: 'Triangles.' },
    { name: 'DC', columns: 'X, Score', documentation: 'Degree centrality.' },
    { name: 'BC', columns: 'X, Score', documentation: 'Betweenness centrality.' },
    { name: 'PR', columns: 'X, Score', documentation: 'PageRank.' },
    { name: 'LLM', columns: '…', documentation: 'A language model over the rows of a relation.' },
];

const BY_NAME = new Map(RELATION_FUNCTIONS.map(entry => [entry.name, entry]));

/** What a relation function computes, as Markdown. */
export function relationFunctionDocumentation(name: string): string | undefined {
    const entry = BY_NAME.get(name);
    return entry && `${codeBlock(relationSignature(name, entry.columns).label)}\n\n${entry.documentation}`;
}
