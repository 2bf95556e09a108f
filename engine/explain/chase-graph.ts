import type { ChaseRow } from './chase.ts';

/** The property graph of a chase: facts and the steps between them (11.2). */
export interface ChaseGraph {
    readonly nodes: readonly ChaseNode[];
    readonly edges: readonly ChaseEdge[];
}

/** A fact by its text, which is its id too, and its labels with `;` between them. */
export interface ChaseNode {
    readonly fact: string;
    readonly labels: string;
}

/** From the derived fact to a premise. */
export interface ChaseEdge {
    readonly from: string;
    readonly to: string;
    readonly rule: string;
}

/** The header lines of the two files, in the form that the bulk import of Neo4j reads. */
export const NODE_COLUMNS = ['id:ID', ':LABEL'] as const;
export const EDGE_COLUMNS = [':START_ID', ':END_ID', 'rule:string', ':TYPE'] as const;
export const EDGE_TYPE = 'DERIVED_BY';

/** The graph of the rows, nodes and edges once each, in the order in which they appear. */
export function chaseGraph(rows: Iterable<ChaseRow>): ChaseGraph {
    const nodes = new Map<string, ChaseNode>();
    const edges = new Map<string, ChaseEdge>();
    const node = (fact: string): void => {
        const label = isEquality(fact) ? 'EQUALITY' : predicateOf(fact).toUpperCase();
        if (!nodes.has(fact)) nodes.set(fact, { fact, labels: `CHASE_NODE;${label}` });
    };
    for (const row of rows) {
        const { fact, rule } = row;
        node(fact);
        for (const premise of premisesOf(row)) {
            node(premise);
            edges.set(JSON.stringify([fact, premise, rule]), { from: fact, to: premise, rule });
        }
    }
    return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

/** `z1 = 4711`, which an equality head gave. */
export function isEquality(fact: string): boolean {
    return !/^[^\s"=]+\(/u.test(fact);
}

/** The name before the first parenthesis of a fact's text. */
export function predicateOf(fact: string): string {
    return fact.slice(0, fact.indexOf('('));
}

/** The premises of a row. Those in the right column stand with `; ` between them; a string in a fact may hold that too. */
export function premisesOf({ left, right }: Pick<ChaseRow, 'left' | 'right'>): string[] {
    const others = right === '' ? [] : splitOutside(right, ';', false).map(fact => fact.trim());
    return [...(left === '' ? [] : [left]), ...others];
}

/** The arguments in a fact's text. */
export function splitArguments(fact: string): string[] {
    const inside = fact.slice(fact.indexOf('(') + 1, -1);
    return inside === '' ? [] : splitOutside(inside, ',', true);
}

/** The pieces between separators that stand outside strings and, where brackets count, outside brackets. */
function splitOutside(text: string, separator: string, brackets: boolean): string[] {
    const pieces: string[] = [];
    let start = 0;
    let depth = 0;
    let quoted = false;
    for (let at = 0; at < text.length; at++) {
        const character = text.charAt(at);
        if (character === '"') quoted = !quoted;
        else if (quoted) continue;
        else if (brackets && '([{'.includes(character)) depth++;
        else if (brackets && ')]}'.includes(character)) depth--;
        else if (character === separator && depth === 0) {
            pieces.push(text.slice(start, at));
            start = at + 1;
        }
    }
    return [...pieces, text.slice(start)];
}
