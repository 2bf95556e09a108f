import type { PredicateKey } from '#language/program/analysed-program.ts';
import { variablesOf } from '#language/program/expression-variables.ts';
import { MIXED } from '#language/program/types.ts';
import type { PlanLiteral, PlanRelation, PlanRule, PlanStratum } from '../plan.ts';
import { type ProgramPass, recursiveOnes } from '../program-pass.ts';
import { waitsForMatch } from '../waits-for-match.ts';
import { variablesIn } from './value-flow.ts';

/** Each recursive literal is compared with each other one; longer rules stay whole. */
const MOST_LITERALS = 64;

/**
 * Splits a rule that joins two recursive literals, of which one is also joined with literals of lower strata: these two
 * parts become a relation of their own where that saves work. In `pt(X,O) <- load(X,Y), pt(Y,P), pt(P,O)` each new
 * `pt(P,O)` would otherwise meet every `pt(Y,P)`, of which `load` keeps few; with `load(X,Y), pt(Y,P)` kept as rows (X,P)
 * it meets only those. In `pt(P,O) <- store(X,Y), pt(X,P), pt(Y,O)` the rows (P,Y) come up once instead of once per X.
 * A helper holds no more rows than the rule would have matched for its part.
 */
export const helperRelations: ProgramPass<'helper-relations'> = {
    name: 'helper-relations',
    needs: () => true,
    run: ({ strata, relations }, planning) => ({ strata: recursiveOnes(strata, planning, stratum => withHelpers(stratum, relations)) }),
};

function withHelpers(stratum: PlanStratum, relations: Map<PredicateKey, PlanRelation>): PlanStratum {
    const { rules, helpers } = addHelperRelations(stratum.rules, relations);
    return helpers.length === 0 ? stratum : { ...stratum, relations: [...helpers, ...stratum.relations], rules };
}

function addHelperRelations(
    rules: readonly PlanRule[],
    relations: Map<PredicateKey, PlanRelation>,
): { readonly rules: readonly PlanRule[]; readonly helpers: readonly PredicateKey[] } {
    const helpers: PredicateKey[] = [];
    const split = rules.flatMap((rule, index) => {
        const part = separablePart(rule, relations);
        if (part === undefined) return [rule];
        const key = `${HELPER}${index} of ${rule.outputs[0]!.relation}` as PredicateKey;
        helpers.push(key);
        return splitRule(rule, part, key, relations);
    });
    return { rules: split, helpers };
}

/** No predicate's key has a blank. */
const HELPER = 'helper ';

export function isHelper(key: PredicateKey): boolean {
    return key.startsWith(HELPER);
}

/** The recursive literal and the literals of lower strata to be joined with it beforehand. */
function separablePart(rule: PlanRule, relations: ReadonlyMap<PredicateKey, PlanRelation>): ReadonlySet<PlanLiteral> | undefined {
    if (rule.constantsOnly.length > 0 || rule.parent !== undefined || !rule.outputs.every(output => output.kind === 'emit'))
        return undefined;
    if (rule.literals.length > MOST_LITERALS) return undefined;
    const constants = new Set(rule.constants.map(constant => constant.variable));
    const variables = (literal: PlanLiteral): ReadonlySet<string> => freeVariables([literal], constants);
    const positive = rule.literals.filter(literal => !literal.negated);
    const isDemand = ({ relation }: PlanLiteral): boolean => relations.get(relation)?.isDemand === true;
    const recursive = positive.filter(
        literal => literal.recursive && !isDemand(literal) && relations.get(literal.relation)?.groups === undefined,
    );
    const lower = positive.filter(literal => !literal.recursive || isDemand(literal));
    for (const one of recursive) {
        for (const other of recursive) {
            if (one === other) continue;
            const own = new Set([...variables(one)].filter(name => !variables(other).has(name)));
            const part = new Set([...lower.filter(literal => meets(variables(literal), own)), one]);
            const isPassedOver = (name: string): boolean => own.has(name) && !neededOutside(rule, part, constants).has(name);
            if (part.size > 1 && (meets(variables(one), variables(other)) || [...own].some(isPassedOver))) return part;
        }
    }
    return undefined;
}

function splitRule(
    rule: PlanRule,
    part: ReadonlySet<PlanLiteral>,
    key: PredicateKey,
    relations: Map<PredicateKey, PlanRelation>,
): readonly PlanRule[] {
    const constants = new Set(rule.constants.map(constant => constant.variable));
    const inside = freeVariables([...part], constants);
    const isInside = (names: readonly string[]): boolean =>
        names.some(name => inside.has(name)) && names.every(name => inside.has(name) || constants.has(name));
    const moved = rule.filters.filter(filter => !waitsForMatch(filter) && isInside(variablesOf(filter)));
    const filters = rule.filters.filter(filter => !moved.includes(filter));
    const rest = rule.literals.filter(literal => !part.has(literal));
    const needed = neededOutside({ ...rule, filters }, part, constants);
    const terms = [...inside].filter(name => needed.has(name));
    const { predicate } = relations.get(rule.outputs[0]!.relation)!;
    const columns = terms.map((name, column) => ({ name: `c_${column}`, type: rule.types.get(name) ?? MIXED, cast: false }));
    relations.set(key, { key, arity: terms.length, columns, predicate, internal: true, level: 'helpers' });
    const helper: PlanLiteral = {
        relation: key,
        negated: false,
        recursive: true,
        terms: terms.map(name => ({ kind: 'variable', name })),
    };
    return [
        {
            ...rule,
            literals: [...part],
            filters: moved,
            assignments: [],
            inventions: [],
            outputs: [{ kind: 'emit', relation: key, terms }],
        },
        { ...rule, literals: [helper, ...rest], filters },
    ];
}

/** The variables that the rule uses besides these literals. */
function neededOutside(rule: PlanRule, part: ReadonlySet<PlanLiteral>, constants: ReadonlySet<string>): ReadonlySet<string> {
    const rest = rule.literals.filter(literal => !part.has(literal));
    return new Set([
        ...freeVariables(rest, constants),
        ...rule.filters.flatMap(variablesOf),
        ...rule.assignments.flatMap(({ value }) => variablesOf(value)),
        ...rule.inventions.flatMap(({ frontier }) => frontier),
        ...rule.outputs.flatMap(output => (output.kind === 'contribute' ? [] : output.terms)),
    ]);
}

function freeVariables(literals: readonly PlanLiteral[], constants: ReadonlySet<string>): ReadonlySet<string> {
    return new Set(literals.flatMap(variablesIn).filter(name => !constants.has(name)));
}

function meets(left: ReadonlySet<string>, right: ReadonlySet<string>): boolean {
    return [...left].some(name => right.has(name));
}
