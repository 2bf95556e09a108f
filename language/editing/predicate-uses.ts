import { type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import type { AnalysedProgram, AnalysedRule, PredicateKey } from '#language/program/analysed-program.ts';
import { append } from '#language/program/append.ts';
import type { Span } from '#language/program/span.ts';
import { symbolsOf } from '#language/symbols/document-symbols.ts';
import { documentsSharing, type Workspace } from '#language/symbols/workspace.ts';
import { type DependencyKind, type DependencyNode, dependencyView } from './dependency-view.ts';
import { nodeAt } from './node-at.ts';

/** A predicate as a hierarchy lists it. */
export interface ListedPredicate {
    readonly key: PredicateKey;
    readonly name: string;
    /** Marks of the predicate and of its use: `recursive`, `negated`, `input`. */
    readonly marks: readonly PredicateMark[];
    readonly file: string;
    /** The range of its first definition or declaration. */
    readonly range: TextRange;
}

export type PredicateMark = 'recursive' | Exclude<DependencyKind, 'positive'> | 'input' | 'output';

/** A predicate that another one needs or is needed by, and the places of the atoms that say so, in the file of `places`. */
export interface PredicateUse {
    readonly predicate: ListedPredicate;
    readonly places: { readonly file: string; readonly ranges: readonly TextRange[] };
}

/** The predicates that are meant at an offset: one for each number of columns that the name is used with. */
export function predicatesAt(document: OpenDocument, offset: number): readonly ListedPredicate[] {
    const mention = nodeAt(document, offset)?.mention;
    if (mention?.kind !== 'predicate') return [];
    const keys = new Set(document.analysed.predicatesNamed(mention.name).map(({ key }) => key));
    return dependencyView(document.analysed)
        .predicates.filter(({ key }) => keys.has(key))
        .flatMap(node => listed(node));
}

/** Lists the predicates derived from this one: the heads of rules with it in their bodies, in all programs that share it. */
export function usersOf(workspace: Workspace, document: OpenDocument, key: PredicateKey): readonly PredicateUse[] {
    return usesAmong(workspace, document, key, ({ predicate, needs }) => (needs === key ? predicate : undefined));
}

/** Lists the predicates that the rules of this one need, in all programs that share it. */
export function neededBy(workspace: Workspace, document: OpenDocument, key: PredicateKey): readonly PredicateUse[] {
    return usesAmong(workspace, document, key, ({ predicate, needs }) => (predicate === key ? needs : undefined));
}

interface PlacedUse {
    readonly predicate: PredicateKey;
    readonly needs: PredicateKey;
    readonly file: string;
    readonly range: TextRange;
}

function usesAmong(
    workspace: Workspace,
    document: OpenDocument,
    key: PredicateKey,
    otherOf: (use: PlacedUse) => PredicateKey | undefined,
): readonly PredicateUse[] {
    const name = key.slice(0, key.lastIndexOf('/'));
    const found = new Map<string, PredicateUse>();
    for (const { analysed } of documentsSharing(workspace, document, other => symbolsOf(other).named(name).length > 0)) {
        const groups = new Map<string, PlacedUse[]>();
        for (const use of placedUses(analysed, key)) {
            const other = otherOf(use);
            if (other !== undefined) append(groups, `${other} ${use.file}`, use);
        }
        if (groups.size === 0) continue;
        const { predicates, edges } = dependencyView(analysed);
        const nodes = new Map(predicates.map(node => [node.key, node]));
        for (const [id, uses] of groups) {
            const [use] = uses;
            const other = use && otherOf(use);
            const node = other && nodes.get(other);
            if (use === undefined || node === undefined || found.has(id)) continue;
            const between = edges.filter(({ predicate, needs }) => predicate === use.predicate && needs === use.needs);
            const marks: PredicateMark[] = [
                ...(between.some(({ recursive }) => recursive) ? (['recursive'] as const) : []),
                ...between.flatMap(({ kind }) => (kind === 'positive' ? [] : [kind])),
            ];
            for (const predicate of listed(node, marks))
                found.set(id, { predicate, places: { file: use.file, ranges: uses.map(({ range }) => range) } });
        }
    }
    return [...found.values()];
}

/** The atoms that make one predicate depend on another, of the rules that have to do with this one; a query stands for its tables. */
function placedUses({ rules, predicates }: AnalysedProgram, key: PredicateKey): PlacedUse[] {
    const own = new Set(predicates.get(key)?.rules);
    return rules.flatMap((rule, index) =>
        own.has(index) || neededKeys(rule).includes(key)
            ? rule.heads.flatMap(({ predicate }) => placesOf(rule).map(use => ({ predicate, ...use })))
            : [],
    );
}

function neededKeys({ literals, reads }: AnalysedRule): readonly PredicateKey[] {
    return [...literals.map(({ predicate }) => predicate), ...reads];
}

function placesOf({ rule: { place, body }, literals, reads }: AnalysedRule): Omit<PlacedUse, 'predicate'>[] {
    const at = (span: Span): Pick<PlacedUse, 'file' | 'range'> => ({
        file: place.file,
        range: rangeOf({ place, span }),
    });
    return [
        ...literals.map(({ predicate: needs, atom }) => ({ needs, ...at(atom.nameSpan) })),
        ...reads.map(needs => ({ needs, ...at(body.span) })),
    ];
}

/** Nothing for one without a place. */
export function listed(
    { key, name, place, recursive, input, output }: DependencyNode,
    marks?: readonly PredicateMark[],
): ListedPredicate[] {
    if (place === undefined) return [];
    const own: PredicateMark[] = [];
    if (recursive) own.push('recursive');
    if (input) own.push('input');
    if (output) own.push('output');
    const { file, start, end } = place;
    return [{ key, name, marks: marks ?? own, file, range: { start, end } }];
}
