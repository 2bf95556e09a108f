import type { SourceSchema } from '#language/program/analysed-program.ts';
import type { Fact, Program, Rule } from '#language/program/program.ts';
import { append } from './append.ts';
import { bindKey, selectedColumnCount } from './binds.ts';
import type {
    AtomMatch,
    AtomUse,
    BindFacts,
    Definition,
    ModelFacts,
    NamedAnnotation,
    NameFacts,
    ReadItem,
    RuleHead,
} from './program-facts.ts';

interface GrowingDefinition extends Definition {
    readonly facts: Fact[];
    readonly rules: RuleHead[];
}

export type Definitions = ReadonlyMap<string, ReadonlyMap<number, Definition>>;

/** The heads and facts of the program by name and arity. `rules` numbers the rules in text order. */
export function definitionsOf(program: Program): Definitions {
    const definitions = new Map<string, Map<number, GrowingDefinition>>();
    const at = (name: string, arity: number): GrowingDefinition => {
        let arities = definitions.get(name);
        if (arities === undefined) {
            arities = new Map();
            definitions.set(name, arities);
        }
        let definition = arities.get(arity);
        if (definition === undefined) {
            definition = { arity, facts: [], rules: [] };
            arities.set(arity, definition);
        }
        return definition;
    };
    let rule = 0;
    for (const clause of program.clauses) {
        if (clause.kind === 'fact') at(clause.atom.predicate, clause.atom.arguments.length).facts.push(clause);
        if (clause.kind !== 'rule') continue;
        if (clause.head.kind === 'atoms') {
            for (const atom of clause.head.atoms) {
                at(atom.predicate, atom.arguments.length).rules.push({ rule, atom, place: clause.place });
            }
        }
        rule++;
    }
    return definitions;
}

export interface NamingSources {
    readonly program: Program;
    readonly definitions: Definitions;
    readonly models: readonly ModelFacts[];
    readonly binds: readonly BindFacts[];
    readonly inputs: readonly NamedAnnotation[];
    readonly outputs: readonly NamedAnnotation[];
    readonly openWorld: boolean;
}

/** Names that heads, facts, binds, declarations or models introduce; a body item with such a name is an atom (1.1). */
export function introducedNames(sources: Omit<NamingSources, 'openWorld'>): Set<string> {
    const names = new Set(sources.definitions.keys());
    for (const { model } of sources.models) names.add(model.predicate);
    for (const { predicate } of [...sources.binds, ...sources.inputs, ...sources.outputs]) names.add(predicate);
    for (const name of brokenMentions(sources.program)) names.add(name);
    return names;
}

function* brokenMentions(program: Program): Iterable<string> {
    for (const clause of program.clauses) if (clause.kind === 'broken') yield* clause.mentions;
}

/** All names in order of their first place: definitions, then declarations, then uses. */
export function gatherNames(
    sources: NamingSources,
    rules: readonly { readonly rule: Rule; readonly items: readonly ReadItem[] }[],
    schemas: ReadonlyMap<string, SourceSchema>,
): Map<string, NameFacts> {
    const uses = usesByName(rules);
    const models = firstByName(sources.models, facts => facts.model.predicate);
    const inputs = firstByName(sources.inputs, named => named.predicate);
    const outputs = firstByName(sources.outputs, named => named.predicate);
    const binds = groupByName(sources.binds, facts => facts.predicate);
    const broken = new Set(brokenMentions(sources.program));
    const mentioned = new Set([...broken, ...textMentions(sources.program)]);
    const names = new Set([
        ...sources.definitions.keys(),
        ...models.keys(),
        ...binds.keys(),
        ...inputs.keys(),
        ...outputs.keys(),
        ...uses.keys(),
        ...relationInputs(sources.program),
    ]);
    const gathered = new Map<string, NameFacts>();
    for (const name of names) {
        const model = models.get(name);
        const input = inputs.get(name);
        const output = outputs.get(name);
        const known = {
            name,
            definitions: sources.definitions.get(name) ?? NO_DEFINITIONS,
            uses: uses.get(name) ?? [],
            binds: binds.get(name) ?? [],
            possiblyDefined: broken.has(name),
            mentioned: mentioned.has(name),
            ...(model !== undefined && { model }),
            ...(input !== undefined && { input }),
            ...(output !== undefined && { output }),
        };
        gathered.set(name, { ...known, ...aritiesOf(known, rules, schemas) });
    }
    return gathered;
}

const NO_DEFINITIONS: ReadonlyMap<number, Definition> = new Map();

function firstByName<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T> {
    const first = new Map<string, T>();
    for (const item of items) if (!first.has(nameOf(item))) first.set(nameOf(item), item);
    return first;
}

function groupByName<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
    const groups = new Map<string, T[]>();
    for (const item of items) {
        append(groups, nameOf(item), item);
    }
    return groups;
}

function usesByName(rules: readonly { readonly rule: Rule; readonly items: readonly ReadItem[] }[]): Map<string, AtomUse[]> {
    const uses = new Map<string, AtomUse[]>();
    rules.forEach(({ rule, items }, index) => {
        for (const item of items) {
            if (item.kind !== 'literal') continue;
            const use: AtomUse = { rule: index, atom: item.atom, place: rule.place, negated: item.negated };
            append(uses, item.atom.predicate, use);
        }
    });
    return uses;
}

/** Predicates that relation functions read. */
function* relationInputs(program: Program): Iterable<string> {
    for (const { body } of rulesOf(program)) {
        if (body.kind === 'relation-function' && body.call.input.kind === 'predicate') yield body.call.input.text;
    }
}

/** Words of embedded queries, which may name predicates, and inputs of relation functions. */
function* textMentions(program: Program): Iterable<string> {
    for (const { body } of rulesOf(program)) {
        if (body.kind === 'query') yield* body.text.match(/[A-Za-z_][A-Za-z0-9_]*/gu) ?? [];
        if (body.kind === 'relation-function') yield* body.call.input.text.match(/[A-Za-z_][A-Za-z0-9_]*/gu) ?? [];
    }
}

function rulesOf(program: Program): Rule[] {
    return program.clauses.filter(clause => clause.kind === 'rule');
}

type Known = Omit<NameFacts, 'arities' | 'openColumns'>;

function aritiesOf(
    known: Known,
    rules: readonly { readonly rule: Rule }[],
    schemas: ReadonlyMap<string, SourceSchema>,
): Pick<NameFacts, 'arities' | 'openColumns'> {
    const queryRules = known.definitions.get(0)?.rules.some(head => rules[head.rule]?.rule.body.kind === 'query') ?? false;
    const written = [...known.definitions.keys()].filter(arity => !(queryRules && arity === 0));
    if (known.model !== undefined) written.push(known.model.model.fields.length);
    if (written.length > 0) return { arities: [...new Set(written)].sort((a, b) => a - b), openColumns: false };
    const external = known.input !== undefined || known.binds.some(({ bind }) => bind.direction === 'input');
    if (!external && !queryRules) return { arities: [], openColumns: false };
    const counts = known.binds.map(({ bind }) => columnCount(bind, schemas)).filter(count => count !== undefined);
    const largestUse = known.uses.reduce((largest, use) => Math.max(largest, use.atom.arguments.length), 0);
    return { arities: [counts[0] ?? schemas.get(known.name)?.columns.length ?? largestUse], openColumns: true };
}

/** The number of columns of a bind, as far as its options or the host tell. */
export function columnCount(bind: BindFacts['bind'], schemas: ReadonlyMap<string, SourceSchema>): number | undefined {
    return selectedColumnCount(bind) ?? (schemas.get(bindKey(bind)) ?? schemas.get(bind.predicate))?.columns.length;
}

/** The arity that an atom with `given` terms means, and how it was found (D-24). */
export function matchAtom(name: NameFacts | undefined, given: number): { readonly arity: number; readonly match: AtomMatch } {
    const arities = name?.arities ?? [];
    if (arities.includes(given)) return { arity: given, match: 'exact' };
    const larger = arities.filter(arity => arity > given);
    const [smallestLarger] = larger;
    const largest = arities.at(-1);
    if (smallestLarger !== undefined) {
        if (larger.length > 1) return { arity: smallestLarger, match: 'ambiguous' };
        return { arity: smallestLarger, match: name?.openColumns ? 'open-projection' : 'projection' };
    }
    return largest === undefined ? { arity: given, match: 'undefined' } : { arity: largest, match: 'too-many' };
}
