import { printConstant, printString } from '#language/program/print-constant.ts';
import { type NameOf, predicateNames, type TermKind } from '../rdf/predicate-names.ts';
import { type Fact, factReader, factText, termReader, textOf } from '../rdf/program.ts';
import type { Triple } from '../rdf/triples.ts';
import type { OwlNames } from './classes.ts';
import { type DataFile, dataFiles } from './data.ts';
import { declaredDatatypes, entitiesOf, individualStatements, type OwlEntities } from './entities.ts';
import { equalityRules, type Substituted } from './equality.ts';
import { OwlExpressions } from './expressions.ts';
import { valueTypes } from './models.ts';
import type { OwlRule } from './rule.ts';
import { printRules, readRules } from './rules.ts';
import { type Unmapped, unmappedStatements } from './unmapped.ts';
import { owl, TYPE } from './vocabulary.ts';

/** Parts of a program beside rules and facts. */
export interface OwlParts {
    /** Comments that describe classes and properties. */
    readonly includeSchema: boolean;
    /** Constraints for contradictions, such as a member of two disjoint classes. */
    readonly includeNotRules: boolean;
    /** The folder for files of facts about individuals; absent if they go into the program. */
    readonly dataFolder?: string;
    /** The IRIs of imported documents whose statements are among the others. */
    readonly loaded?: ReadonlySet<string>;
}

/** The rules of an ontology, and what it says of individuals, as a program. */
export interface OwlProgram {
    /** Columns of predicates by their names. */
    readonly predicates: Readonly<Record<string, string[]>>;
    readonly rules: readonly string[];
    readonly program: string;
    readonly counts: { readonly class_count: number; readonly property_count: number; readonly individual_count: number };
    readonly files: readonly DataFile[];
    /** Statements that the program does not have, or has in part. */
    readonly unmapped: readonly Unmapped[];
}

const SAME = owl('sameAs');

/** Translates what an ontology says of classes, properties and individuals. Refuses a document that says too much. */
export function owlProgram(triples: readonly Triple[], parts: OwlParts): OwlProgram {
    const { includeSchema, includeNotRules, dataFolder } = parts;
    const datatypes = declaredDatatypes(triples);
    const expressions = new OwlExpressions(triples, datatypes);
    const entities = entitiesOf(triples, expressions, datatypes);
    const individuals = [...individualStatements(triples, entities)];
    for (const { predicate } of individuals) if (predicate !== TYPE && predicate !== SAME) entities.properties.add(predicate);
    const vocabulary = new Vocabulary(entities);
    const read = factReader(vocabulary.nameOf, vocabulary.term);
    const stated = individuals.map(read);
    const found = readRules(triples, expressions, vocabulary, includeNotRules);
    const members = found.members.map(({ helper, individual }) => ({ predicate: helper, terms: [vocabulary.term(individual)] }));
    const facts = [...stated, ...members];
    const rules = withEquality(found.rules, facts, vocabulary);
    const { texts, restricted } = printRules(rules);
    const files = dataFolder === undefined ? [] : dataFiles(facts, name => vocabulary.columns(name), dataFolder);
    const isFact = new Set(individuals);
    return {
        predicates: vocabulary.predicates(),
        rules: texts,
        program: textOf(
            programLines({
                schema: includeSchema ? vocabulary : undefined,
                models: emptyModels(rules, facts, valueTypes(triples), vocabulary),
                files,
                rules: texts,
                facts: dataFolder === undefined ? facts : [],
                outputs: derived(rules, facts).filter(name => !vocabulary.isHelper(name)),
            }),
        ),
        counts: {
            class_count: entities.classes.size,
            property_count: entities.properties.size,
            individual_count: new Set([...individuals.map(({ subject }) => subject.value), ...namedIndividuals(triples)]).size,
        },
        files,
        unmapped: unmappedStatements(triples, {
            told: triple => (isFact.has(triple) ? 'all' : found.told.get(triple)),
            annotations: entities.annotations,
            restricted: new Set([...restricted].flatMap(rule => found.sourceOf.get(rule) ?? [])),
            loaded: parts.loaded ?? new Set(),
        }),
    };
}

/** Predicates and constants for the names of an ontology. */
class Vocabulary implements OwlNames {
    readonly nameOf: NameOf = predicateNames();
    readonly term = termReader();
    readonly #entities: OwlEntities;
    readonly #columns = new Map<string, string[]>();
    readonly #helpers = new Set<string>();
    readonly #iris = new Map<string, string>();

    constructor(entities: OwlEntities) {
        this.#entities = entities;
        for (const iri of entities.classes) this.classOf(iri);
        for (const iri of entities.properties) this.propertyOf(iri);
    }

    classOf(iri: string): string {
        return this.#named(iri, 'class', ['id']);
    }

    propertyOf(iri: string): string {
        return this.#named(iri, 'property', ['subject', 'object']);
    }

    equality(): string {
        return this.nameOf(SAME, 'property');
    }

    helper(): string {
        const name = this.nameOf(`helper:described_class_${this.#helpers.size + 1}`, 'class');
        this.#helpers.add(name);
        return name;
    }

    constant(value: Parameters<OwlNames['constant']>[0]): string {
        return printConstant(this.term(value));
    }

    isData(property: string): boolean {
        return this.#entities.data.has(property);
    }

    isHelper(predicate: string): boolean {
        return this.#helpers.has(predicate);
    }

    columns(predicate: string): readonly string[] {
        return this.#columns.get(predicate) ?? (this.isHelper(predicate) ? ['id'] : ['subject', 'object']);
    }

    iriOf(predicate: string): string | undefined {
        return this.#iris.get(predicate);
    }

    predicates(): Record<string, string[]> {
        return Object.fromEntries(this.#columns);
    }

    /** Adds the predicate for equal individuals to those that users see. */
    showEquality(): void {
        this.propertyOf(SAME);
    }

    *described(): Iterable<string> {
        const line = (iri: string, kind: TermKind): string =>
            `% ${kind} ${this.nameOf(iri, kind)}: ${iri.replaceAll(/\s/gu, encodeURIComponent)}`;
        for (const iri of this.#entities.classes) yield line(iri, 'class');
        for (const iri of this.#entities.properties) yield line(iri, 'property');
    }

    #named(iri: string, kind: TermKind, columns: string[]): string {
        const name = this.nameOf(iri, kind);
        this.#columns.set(name, columns);
        this.#iris.set(name, iri);
        return name;
    }
}

/** The predicates of heads and facts, each once. */
function derived(rules: readonly OwlRule[], facts: readonly Fact[]): string[] {
    return [
        ...new Set([...rules.flatMap(({ heads }) => heads.map(({ predicate }) => predicate)), ...facts.map(({ predicate }) => predicate)]),
    ];
}

/** Adds the rules for equal individuals if there may be any; else removes the constraints on them. */
function withEquality(rules: readonly OwlRule[], facts: readonly Fact[], vocabulary: Vocabulary): readonly OwlRule[] {
    const equality = vocabulary.equality();
    const all = derived(rules, facts);
    if (!all.includes(equality)) return rules.filter(({ atoms }) => atoms.every(({ predicate }) => predicate !== equality));
    vocabulary.showEquality();
    const substituted = all.flatMap((predicate): Substituted[] => {
        if (predicate === equality || vocabulary.isHelper(predicate)) return [];
        if (vocabulary.columns(predicate).length === 1) return [{ predicate, holds: 'members' }];
        const isData = vocabulary.isData(vocabulary.iriOf(predicate) ?? '');
        return [{ predicate, holds: isData ? 'data' : 'individuals' }];
    });
    return [...rules, ...equalityRules(equality, substituted)];
}

/** Models of predicates that rules read and no rule or fact gives: they are empty, and the program is evaluated all the same. */
function emptyModels(
    rules: readonly OwlRule[],
    facts: readonly Fact[],
    types: ReadonlyMap<string, string>,
    vocabulary: Vocabulary,
): readonly string[] {
    const given = new Set(derived(rules, facts));
    const empty = new Set(rules.flatMap(({ atoms }) => atoms.flatMap(({ predicate }) => (given.has(predicate) ? [] : [predicate]))));
    return Array.from(empty, predicate => {
        const fields = vocabulary.columns(predicate).map(column => {
            const type = column === 'object' ? types.get(vocabulary.iriOf(predicate) ?? '') : undefined;
            return `'${column}:${type ?? 'string'}'`;
        });
        return `@model(${printString(predicate)},${printString(`[${fields.join(',')}]`)}).`;
    });
}

interface ProgramParts {
    readonly schema: Vocabulary | undefined;
    readonly models: readonly string[];
    readonly files: readonly DataFile[];
    readonly rules: readonly string[];
    readonly facts: readonly Fact[];
    readonly outputs: readonly string[];
}

function* programLines({ schema, models, files, rules, facts, outputs }: ProgramParts): Iterable<string> {
    if (schema !== undefined) yield* schema.described();
    yield* models;
    for (const { annotation, rule } of files) {
        yield annotation;
        yield rule;
    }
    yield* rules;
    for (const fact of facts) yield factText(fact);
    for (const name of outputs) yield `@output(${printString(name)}).`;
}

function namedIndividuals(triples: readonly Triple[]): string[] {
    return triples.flatMap(({ subject, predicate, object }) =>
        predicate === TYPE && object.value === owl('NamedIndividual') ? [subject.value] : [],
    );
}
