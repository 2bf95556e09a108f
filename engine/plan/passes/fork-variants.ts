import { printExpression } from '#language/program/print.ts';
import type { Expression } from '#language/program/program.ts';
import type { OrderedRule, PlanRead, PlanRule, PlanStep, PlanTerm } from '../plan.ts';
import { renamed } from '../rule-parts.ts';
import { waitsForMatch } from '../waits-for-match.ts';
import { boundBy, differsPerMatch, stepReads } from './first-match.ts';

/** Fewer literals in common are looked up as fast as they are remembered. */
const LEAST_LITERALS = 2;

/** The first steps of a variant: the same texts for the same work, whatever variables are called. */
interface Beginning {
    readonly variant: OrderedRule;
    readonly texts: readonly string[];
    /** The place that holds the values of a variable in all variants alike. */
    readonly places: ReadonlyMap<string, string>;
}

/**
 * Unites variants that begin with the same steps, as `a(X,Y), b(Y,Z)` of `r(X,Z) <- a(X,Y), b(Y,Z), c(Z,_)` and `s(X) <- a(X,Y), b(Y,Z),
 * d(Z,X)` where both are joined in this order: the common steps are run once, and each match goes on in every one of them. Nothing is
 * stored, so that it costs no more than the variants do apart.
 */
export function forkVariants(variants: readonly OrderedRule[]): readonly OrderedRule[] {
    const forks: { length: number; readonly members: Beginning[] }[] = [];
    const forkOf = new Map<string, (typeof forks)[number]>();
    for (const variant of variants) {
        const own = beginningOf(variant);
        const shortest = shortestCommon(own);
        const known = shortest === undefined ? undefined : forkOf.get(shortest);
        if (known !== undefined) {
            known.length = commonLength(own, known.members[0]!, known.length);
            known.members.push(own);
            continue;
        }
        const fork = { length: own.texts.length, members: [own] };
        if (shortest !== undefined) forkOf.set(shortest, fork);
        forks.push(fork);
    }
    return forks.map(({ length, members }) => (members.length === 1 ? members[0]!.variant : forked(members, length)));
}

/** The shortest beginning with enough literals to be run once for several variants. */
function shortestCommon({ variant, texts }: Beginning): string | undefined {
    let joined = 0;
    for (const index of texts.keys()) {
        const { kind } = variant.steps[index]!;
        if (kind === 'read' || kind === 'absent' || kind === 'intersect') joined++;
        if (joined === LEAST_LITERALS) return texts.slice(0, index + 1).join('\n');
    }
    return undefined;
}

/** Whether the matches of a rule may be found together with those of others. */
export function mayFork({ source, constantsOnly, parent, inventions, outputs, constants, assignments, filters }: PlanRule): boolean {
    if (source === undefined || parent !== undefined || constantsOnly.length + inventions.length > 0) return false;
    const isPlain = outputs.every(
        output =>
            output.kind === 'emit' ||
            (output.kind === 'contribute' && output.contributions.every(({ contributors }) => contributors === 'each match')),
    );
    const values = [...constants, ...assignments].map(({ value }) => value);
    return isPlain && assignments.every(({ exploded }) => !exploded) && ![...values, ...filters].some(differsPerMatch);
}

function commonLength(one: Beginning, other: Beginning, most: number): number {
    let length = 0;
    while (length < most && one.texts[length] !== undefined && one.texts[length] === other.texts[length]) length++;
    return length;
}

function beginningOf(variant: OrderedRule): Beginning {
    const { rule, steps, delta } = variant;
    const places = new Map(rule.constants.map(({ variable, value }) => [variable, printExpression(value)]));
    const texts: string[] = [];
    if (delta !== undefined || !mayFork(rule)) return { variant, texts, places };
    for (const [index, step] of steps.entries()) {
        const text = textOf(step, index, rule, places);
        if (text === undefined) break;
        texts.push(text);
    }
    return { variant, texts, places };
}

/** Undefined for steps that variants do apart; notes where the step puts values. */
function textOf(step: PlanStep, index: number, rule: PlanRule, places: Map<string, string>): string | undefined {
    const placeOf = (variable: string): string => places.get(variable) ?? variable;
    const typed = (expression: Expression, names: readonly string[]): string =>
        JSON.stringify([printExpression(renamed(expression, placeOf)), ...names.map(name => rule.types.get(name))]);
    const rows = (read: Pick<PlanRead, 'literal' | 'access' | 'binds' | 'checks'>, number: number): unknown[] => {
        const { access, checks } = read;
        const { relation, recursive } = rule.literals[read.literal]!;
        const keys = access.kind === 'index' || access.kind === 'key' ? access.variables.map(placeOf) : [];
        for (const { column, variable } of read.binds) if (!places.has(variable)) places.set(variable, `${index}.${number}.${column}`);
        return [
            relation,
            recursive,
            access.kind,
            access.kind === 'index' ? access.columns : [],
            keys,
            checks.map(({ column, variable }) => [column, placeOf(variable)]),
        ];
    };
    switch (step.kind) {
        case 'read':
            return JSON.stringify(['read', step.range, step.exists, rows(step, 0)]);
        case 'absent':
            return JSON.stringify(['absent', rows(step, 0)]);
        case 'intersect':
            return JSON.stringify([
                'intersect',
                step.reads.map((read, number) => [read.binds.map(({ column }) => column), rows(read, number)]),
            ]);
        case 'filter':
            return waitsForMatch(step.condition) ? undefined : `if ${typed(step.condition, stepReads(step, rule))}`;
        default:
            return undefined;
    }
}

/** The common steps with the names of the first variant, and what each variant does then. */
function forked(members: readonly Beginning[], length: number): OrderedRule {
    const { variant: first, places } = members[0]!;
    const { rule } = first;
    const names = new Map([...places].map(([variable, place]) => [place, variable]));
    const literals = [...rule.literals];
    const nameAt = (literal: number, column: number, place: string): string => {
        const { terms, ...rest } = literals[literal]!;
        const term = terms[column]!;
        const name = names.get(place) ?? (term.kind === 'variable' ? term.name : `$${place}`);
        names.set(place, name);
        literals[literal] = { ...rest, terms: terms.with(column, { kind: 'variable', name } satisfies PlanTerm) };
        return name;
    };
    const branches = members.map(({ variant, places }) => {
        const read = new Set(variant.steps.slice(length).flatMap(step => stepReads(step, variant.rule)));
        const bound = variant.steps.slice(0, length).flatMap(boundBy);
        const needed = bound.filter(variable => read.has(variable)).map(variable => [variable, places.get(variable)!] as const);
        return { variant, needed };
    });
    const wanted = new Set(branches.flatMap(({ needed }) => needed.map(([, place]) => place)));
    const steps = first.steps.slice(0, length).map((step, index): PlanStep => {
        if (step.kind !== 'read' || step.exists) return step;
        const binds = [...step.binds];
        for (const column of rule.literals[step.literal]!.terms.keys()) {
            const place = `${index}.0.${column}`;
            if (!wanted.has(place) || binds.some(bind => bind.column === column)) continue;
            binds.push({ column, variable: nameAt(step.literal, column, place) });
        }
        return { ...step, binds };
    });
    const fork: PlanStep = {
        kind: 'fork',
        at: length,
        branches: branches.map(({ variant, needed }) => ({
            variant,
            names: new Map(needed.map(([variable, place]) => [variable, names.get(place)!])),
        })),
    };
    return { rule: { ...rule, literals }, steps: [...steps, fork] };
}
