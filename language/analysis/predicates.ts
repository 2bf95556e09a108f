import { isHeaded } from '#language/library/connected-sources.ts';
import type { Column, PostDirective, Predicate, PredicateKey, SourceSchema } from '#language/program/analysed-program.ts';
import { type Type, UNKNOWN } from '#language/program/types.ts';
import { bindKey, hasHeader } from './binds.ts';
import { mappingOf } from './mappings.ts';
import type { AggregatedColumns, NameFacts } from './program-facts.ts';

/** The parts from which a predicate is built. */
export interface PredicateParts {
    readonly key: PredicateKey;
    readonly facts: NameFacts;
    readonly arity: number;
    readonly post: readonly PostDirective[];
    readonly types: readonly Type[] | undefined;
    /** The numbers of the rules with the predicate in their head. */
    readonly rules: readonly number[];
    readonly aggregated: AggregatedColumns;
    readonly schemas: ReadonlyMap<string, SourceSchema>;
}

/** A predicate with everything that the text and the sources say about it. */
export function buildPredicate(parts: PredicateParts): Predicate {
    const { key, facts, arity, post, rules, aggregated } = parts;
    const model = facts.model?.model.fields.length === arity ? facts.model.model : undefined;
    const isMain = facts.arities.length === 0 || facts.arities[0] === arity;
    const binds = isMain ? facts.binds.map(bind => bind.bind) : [];
    return {
        key,
        name: facts.name,
        arity,
        columns: columnsOf(parts),
        facts: facts.definitions.get(arity)?.facts ?? [],
        rules,
        inputBinds: binds.filter(bind => bind.direction === 'input'),
        outputBinds: binds.filter(bind => bind.direction === 'output'),
        input: isMain && facts.input !== undefined,
        output: isMain && facts.output !== undefined,
        ...(model !== undefined && { model }),
        post,
        aggregatedColumns: [...aggregated.keys()].sort((a, b) => a - b),
    };
}

function columnsOf({ facts, arity, types, schemas }: PredicateParts): Column[] {
    const model = facts.model?.model.fields.length === arity ? facts.model.model : undefined;
    const schema = facts.binds
        .filter(({ bind }) => bind.direction === 'input')
        .map(({ bind }) => schemas.get(bindKey(bind)) ?? schemas.get(bind.predicate))
        .find(found => found !== undefined);
    const names = facts.binds.length === 0 ? facts.supplied : schema;
    const headers =
        facts.binds.length === 0
            ? [facts.supplied]
            : facts.binds.length === 1
              ? facts.binds.map(({ bind }) => (!isHeaded(bind.type) || hasHeader(bind) ? schema : undefined))
              : [];
    const headNames = namesFromHeads(facts, arity);
    const taken = new Set<string>();
    return Array.from({ length: arity }, (_, i): Column => {
        const mapping = mappingOf(facts.mappings, i);
        const wanted = model?.fields[i]?.name ?? mapping?.column ?? headNames[i] ?? names?.columns[i]?.name ?? `${facts.name}_${i}`;
        const name = distinctName(wanted, taken);
        const header = headers[0]?.columns[i]?.name;
        const read =
            mapping === undefined ? schema?.columns[i] : (schema?.columns.find(one => one.name === mapping.column) ?? schema?.columns[i]);
        const examples = facts.binds.length === 1 ? read?.examples : undefined;
        taken.add(name);
        return {
            name,
            type: types?.[i] ?? UNKNOWN,
            cast: model !== undefined || mapping !== undefined,
            ...(mapping !== undefined && { mapped: mapping.column }),
            ...(header !== undefined && { header }),
            ...(examples !== undefined && { examples }),
        };
    });
}

/** For each column, the head variable of the first rule that has one there. */
function namesFromHeads(facts: NameFacts, arity: number): (string | undefined)[] {
    const names: (string | undefined)[] = [];
    let missing = arity;
    for (const { atom } of facts.definitions.get(arity)?.rules ?? []) {
        if (missing === 0) break;
        atom.arguments.forEach((term, i) => {
            if (names[i] !== undefined || term.kind !== 'variable') return;
            names[i] = term.name;
            missing--;
        });
    }
    return names;
}

function distinctName(name: string, taken: ReadonlySet<string>): string {
    if (!taken.has(name)) return name;
    let count = 2;
    while (taken.has(`${name}_${count}`)) count++;
    return `${name}_${count}`;
}
