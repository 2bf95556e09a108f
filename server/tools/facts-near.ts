import type { PlatformClient } from '#server/client/platform-client.ts';

/** Stored facts around some values. */
export interface NearFacts {
    /** In the order in which they were found: the nearest first. */
    readonly facts: readonly { readonly concept: string; readonly step: number; readonly row: readonly unknown[] }[];
    /** Columns of the concepts that have facts here. */
    readonly columns: Readonly<Record<string, readonly string[]>>;
    /** There are more, or not everything was looked at. */
    readonly truncated: boolean;
}

export interface NearQuestion {
    readonly client: PlatformClient;
    readonly project: string;
    readonly scope: 'user' | 'organization';
    readonly signal: AbortSignal;
    readonly values: readonly string[];
    /** A fact of the first step has one of the values, one of the next shares a text with such a fact, and so on. */
    readonly steps: number;
    /** Facts at most. */
    readonly most: number;
}

/** Looks into stored rows at most; each is one column of one concept asked for one value. */
const MOST_LOOKS = 400;
/** Rows of one look at most. */
const MOST_ROWS = 50;

/** Walks over the stored rows of a project from value to value, breadth first; only texts lead on, as numbers are in too many rows to mean anything. */
export async function factsNear({ client, project, scope, signal, values, steps, most }: NearQuestion): Promise<NearFacts> {
    const path = { project_id: project };
    const view = (concept: string, more: { readonly limit: number; readonly filters?: string }) =>
        client.viewRows({ path, query: { concept_name: concept, scope, ...more } }, signal);
    const stored = (await client.listConcepts({ path, query: { scope } }, signal)).filter(one => one.row_count > 0);
    const concepts = await Promise.all(
        stored.map(async ({ concept_name: name }) => ({ name, columns: (await view(name, { limit: 1 })).columns })),
    );
    const told = (truncated: boolean): NearFacts => {
        const names = new Set(facts.map(({ concept }) => concept));
        const columns = concepts.filter(({ name }) => names.has(name)).map(one => [one.name, one.columns] as const);
        return { facts, columns: Object.fromEntries(columns), truncated };
    };
    const facts: NearFacts['facts'][number][] = [];
    const found = new Set<string>();
    const seen = new Set(values);
    let frontier = [...seen];
    let looks = 0;
    let truncated = false;
    for (let step = 1; step <= steps; step++) {
        const next: string[] = [];
        for (const value of frontier) {
            for (const { name: concept, columns } of concepts) {
                for (const column of columns.keys()) {
                    if (looks === MOST_LOOKS || facts.length >= most) return told(true);
                    looks++;
                    const filters = JSON.stringify([{ column, operator: 'equals', value }]);
                    const viewed = await view(concept, { limit: MOST_ROWS, filters });
                    truncated ||= viewed.matching > viewed.rows.length;
                    for (const row of viewed.rows as readonly (readonly unknown[])[]) {
                        const key = JSON.stringify([concept, row.map(String)]);
                        if (found.has(key)) continue;
                        if (facts.length >= most) return told(true);
                        found.add(key);
                        facts.push({ concept, step, row });
                        const texts = row.filter((cell): cell is string => typeof cell === 'string' && !seen.has(cell));
                        for (const text of texts) seen.add(text);
                        next.push(...new Set(texts));
                    }
                }
            }
        }
        frontier = next;
    }
    return told(truncated);
}
