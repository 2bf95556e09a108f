import { functionNamed, type LibraryPrefixes } from '#language/library/function-catalogue.ts';
import { AGGREGATES } from '#language/program/aggregates.ts';
import type { PredicateKey } from '#language/program/analysed-program.ts';
import type { Expression } from '#language/program/program.ts';
import { partsOf, visitExpression } from '#language/program/subexpressions.ts';
import { isChoice } from './growth.ts';
import type { UntypedRule } from './program-facts.ts';

/** Number of a node: a column of a predicate, a variable of a rule, or a creation, which is where labelled nulls come from. */
export type NullNode = number;

/** The number of columns that a key names. */
export function arityOf(key: PredicateKey): number {
    return Number(key.slice(key.lastIndexOf('/') + 1));
}

/**
 * The ways that labelled nulls may take through a program, alone, inside collections, or as what other nulls were made from:
 * one that is replaced is replaced wherever its creation leads. A variable of positive atoms holds only what may be at all its places.
 */
export class NullGraph {
    readonly #positions = new Map<PredicateKey, NullNode[]>();
    readonly #creations = new Map<string, NullNode>();
    readonly #isCreation = new Set<NullNode>();
    /** Nodes for the values of Skolem terms. Such a value changes with its arguments and equals none of them. */
    readonly #isMade = new Set<NullNode>();
    readonly #targets: NullNode[][] = [];
    readonly #sources: NullNode[][] = [];
    /** How many of the sources of a node have to hold a null; none ever holds one where that is infinite. */
    readonly #demands: number[] = [];
    readonly #prefixes: LibraryPrefixes;
    #reachable: ReadonlySet<NullNode> = new Set();

    /** The nodes of the variables of each rule; asked once for each. Columns may hold nulls of their own, which no rule gives them. */
    constructor(rules: readonly UntypedRule[], ownNulls: (predicate: PredicateKey) => OwnNulls, prefixes: LibraryPrefixes) {
        this.#prefixes = prefixes;
        this.variables = rules.map((rule, index) => this.#addRule(rule, index));
        for (const [key, columns] of this.#positions) {
            const own = ownNulls(key);
            columns.forEach((position, column) => {
                if (own.columns(column)) this.#connect(this.#creation(`${key} ${column}`), position);
                if (own.cast) this.#connect(this.#creation(CAST), position);
            });
        }
        this.applied = rules.map(rule => this.#appliedIn(rule));
        this.#reachable = this.reach(this.#isCreation);
    }

    /** By rule, the nodes of its variables. */
    readonly variables: readonly ReadonlyMap<string, NullNode>[];
    /** By rule, the nodes of the functions and Skolem terms in its body and its heads. */
    readonly applied: readonly ReadonlySet<NullNode>[];

    position(predicate: PredicateKey, column: number): NullNode {
        let columns = this.#positions.get(predicate);
        if (columns === undefined) {
            columns = Array.from({ length: arityOf(predicate) }, () => this.#node(1));
            this.#positions.set(predicate, columns);
        }
        return columns[column] ?? this.#node(Number.POSITIVE_INFINITY);
    }

    /**
     * Returns the creation behind the outermost operation of an expression. Undefined if its values hold no nulls anywhere in the program.
     */
    madeBy(expression: Expression): NullNode | undefined {
        switch (expression.kind) {
            case 'call':
                return this.#creations.get(this.#functionCreation(expression.name));
            case 'skolem':
                return this.#creations.get(`#${expression.name}`);
            default:
                return undefined;
        }
    }

    /** The creations of the nulls that a node may hold. */
    creationsBehind(node: NullNode): NullNode[] {
        const found: NullNode[] = [];
        const seen = new Set([node]);
        for (const at of seen) {
            if (!this.#reachable.has(at)) continue;
            if (this.#isCreation.has(at)) found.push(at);
            else for (const source of this.#sources[at] ?? []) if (!this.#isMade.has(at) || this.#isCreation.has(source)) seen.add(source);
        }
        return found;
    }

    /** The nodes that may hold nulls of some creations. */
    reach(creations: Iterable<NullNode>): Set<NullNode> {
        const reached = new Set(creations);
        const waiting = new Map<NullNode, number>();
        for (const node of reached) {
            for (const target of this.#targets[node] ?? []) {
                const left = (waiting.get(target) ?? this.#demands[target] ?? 1) - 1;
                waiting.set(target, left);
                if (left <= 0) reached.add(target);
            }
        }
        return reached;
    }

    #node(demand: number): NullNode {
        this.#sources.push([]);
        this.#demands.push(demand);
        return this.#targets.push([]) - 1;
    }

    #creation(name: string): NullNode {
        let node = this.#creations.get(name);
        if (node === undefined) {
            node = this.#node(1);
            this.#creations.set(name, node);
            this.#isCreation.add(node);
        }
        return node;
    }

    #functionCreation(name: string): string {
        const known = functionNamed(name, this.#prefixes)?.name ?? name;
        return known.startsWith(CAST) ? CAST : `${known}()`;
    }

    #connect(source: NullNode, target: NullNode): void {
        this.#targets[source]?.push(target);
        this.#sources[target]?.push(source);
    }

    #addRule(rule: UntypedRule, index: number): Map<string, NullNode> {
        const variables = new Map<string, NullNode>();
        const places = new Map<string, Set<NullNode>>();
        for (const { atom, predicate, negated } of rule.literals) {
            atom.arguments.forEach((term, column) => {
                const position = this.position(predicate, column);
                if (negated || term.kind !== 'variable') return;
                const known = places.get(term.name);
                if (known === undefined) places.set(term.name, new Set([position]));
                else known.add(position);
            });
        }
        for (const [name, positions] of places) {
            const node = this.#node(rule.constantsOnly ? Number.POSITIVE_INFINITY : positions.size);
            for (const position of positions) this.#connect(position, node);
            variables.set(name, node);
        }
        const feed = (expression: Expression, target: NullNode): void => this.#feed(expression, target, variables, index);
        for (const { variable, value } of rule.assignments) {
            if (variables.has(variable.name)) continue;
            const node = this.#node(rule.constantsOnly ? Number.POSITIVE_INFINITY : 1);
            variables.set(variable.name, node);
            feed(value, node);
        }
        const terms = rule.heads.flatMap(({ atom }) => atom.arguments);
        for (const name of rule.existential) this.#invent(name, index, variables);
        for (const { atom, predicate } of rule.heads) {
            atom.arguments.forEach((term, column) => {
                const position = this.position(predicate, column);
                if (term.kind === 'anonymous') this.#connect(this.#invent(`_ ${predicate} ${column}`, index, variables), position);
                else feed(term, position);
                if (rule.rule.body.kind !== 'items') this.#answer(rule, position);
            });
        }
        const frontier = terms.filter(term => !(term.kind === 'variable' && rule.existential.includes(term.name)));
        for (const [name, node] of variables) {
            if (name.startsWith('_ ') || rule.existential.includes(name)) for (const term of frontier) feed(term, node);
        }
        return variables;
    }

    #appliedIn({ conditions, assignments, literals, heads }: UntypedRule): Set<NullNode> {
        const found = new Set<NullNode>();
        const look = (expression: Expression): void => {
            visitExpression(expression, part => {
                const node = this.madeBy(part);
                if (node !== undefined) found.add(node);
            });
        };
        for (const { expression } of conditions) look(expression);
        for (const { value } of assignments) look(value);
        for (const { atom } of [...literals, ...heads]) atom.arguments.forEach(look);
        return found;
    }

    /** An existential variable, or an anonymous one of the head. */
    #invent(name: string, index: number, variables: Map<string, NullNode>): NullNode {
        const node = this.#creation(`${index} ${name}`);
        variables.set(name, node);
        return node;
    }

    /** Connects every column that a relation function or a query reads to its answer. */
    #answer({ reads }: UntypedRule, position: NullNode): void {
        for (const predicate of reads) {
            for (let column = 0; column < arityOf(predicate); column++) this.#connect(this.position(predicate, column), position);
        }
    }

    /** The nulls that the value of an expression may be, or hold, or be made from. */
    #feed(expression: Expression, target: NullNode, variables: ReadonlyMap<string, NullNode>, index: number): void {
        const feed = (part: Expression, to: NullNode): void => this.#feed(part, to, variables, index);
        if (isChoice(expression)) return;
        const parts = partsOf(expression);
        switch (expression.kind) {
            case 'variable': {
                const node = variables.get(expression.name);
                if (node !== undefined) this.#connect(node, target);
                return;
            }
            case 'null':
                this.#connect(this.#creation(`${index} null`), target);
                return;
            case 'skolem': {
                const made = this.#node(1);
                this.#isMade.add(made);
                this.#connect(made, target);
                this.#connect(this.#creation(`#${expression.name}`), made);
                for (const part of parts) feed(part, made);
                return;
            }
            case 'aggregate':
                if (AGGREGATES[expression.name].domain === 'rows') return;
                break;
            case 'call':
                this.#connect(this.#creation(this.#functionCreation(expression.name)), target);
                break;
        }
        for (const part of parts) feed(part, target);
    }
}

/** Nulls of a predicate that come from elsewhere than its rules. */
export interface OwnNulls {
    /** Facts, sources or hosts may give the column nulls. */
    readonly columns: (column: number) => boolean;
    /** Values are converted to the types of columns, and some cannot be. */
    readonly cast: boolean;
}

/** Conversions of a column and calls of the functions that convert give the same nulls. */
const CAST = 'as_';
