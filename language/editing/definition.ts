import { type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import type { Clause } from '#language/program/program.ts';
import { type SqlPart, sourceNamed, sourcesOf } from '#language/sql/sql-outline.ts';
import { mentionsOfClause, symbolsOf } from '#language/symbols/document-symbols.ts';
import type { Mention, PredicateMention } from '#language/symbols/mention.ts';
import type { PlacedSymbol } from '#language/symbols/symbol-index.ts';
import { isDeclaration, isDefinition } from '#language/symbols/symbol-roles.ts';
import { documentsSharing, type Workspace } from '#language/symbols/workspace.ts';
import { includeAt } from './include-at.ts';
import { nodeAt } from './node-at.ts';
import { ruleAtoms } from './rule-atoms.ts';
import { columnsNamed, predicateColumns } from './sql-columns.ts';

export interface Definition {
    /** The range of the name at the offset. */
    readonly origin: TextRange;
    readonly targets: readonly DefinitionTarget[];
}

export interface DefinitionTarget {
    readonly file: string;
    /** The name. */
    readonly range: TextRange;
    /** The whole clause around it. */
    readonly clause: TextRange;
}

/**
 * Finds the origin of the thing at the offset. For a predicate, these are its rules and first fact, or its declaration; for a variable, the
 * place that binds it; for a parameter, its declaration. A predicate that its own program does not define is searched in all documents. An
 * include leads to the start of its file.
 */
export function definition(workspace: Workspace, document: OpenDocument, offset: number): Definition | undefined {
    const include = includeAt(document, offset);
    if (include !== undefined) return { origin: include.range, targets: [{ file: include.file, range: START, clause: START }] };
    const node = nodeAt(document, offset);
    if (node === undefined) return undefined;
    const { mention, clause, range } = node;
    const targets = targetsOf(workspace, document, mention, clause);
    return targets.length === 0 ? undefined : { origin: range, targets };
}

const START: TextRange = { start: 0, end: 0 };

/**
 * Finds where the thing at the offset is declared. For a predicate, these are the annotations that say what it is or where it comes from; for
 * anything else, and a predicate without annotations, its definition.
 */
export function declaration(workspace: Workspace, document: OpenDocument, offset: number): Definition | undefined {
    return (
        predicateDefinition(workspace, document, offset, places => places.filter(({ mention }) => isDeclaration(mention))) ??
        definition(workspace, document, offset)
    );
}

/** Finds all rules and facts that give the predicate at the offset rows, in all programs that share it. */
export function implementation(workspace: Workspace, document: OpenDocument, offset: number): Definition | undefined {
    return predicateDefinition(workspace, document, offset, places => places.filter(({ mention }) => isDefinition(mention)));
}

/**
 * Finds what says the types of the thing at the offset: for a predicate, its model, else its mappings, else the sources that it is bound to;
 * for a variable, those of the predicates in whose atoms it stands.
 */
export function typeDefinition(workspace: Workspace, document: OpenDocument, offset: number): Definition | undefined {
    const ofPredicate = predicateDefinition(workspace, document, offset, typePlaces);
    const node = ofPredicate === undefined ? nodeAt(document, offset) : undefined;
    if (node?.mention.kind !== 'variable') return ofPredicate;
    const { clause, mention, range } = node;
    const { place } = clause;
    const places = mentionsOfClause(document, clause).filter(one => one.kind === 'variable' && one.name === mention.name);
    const atoms = [...ruleAtoms(document, rangeOf(clause))].filter(
        atom => atom.part === 'body' && places.some(({ span }) => isInside(rangeOf({ place, span }), atom.range)),
    );
    const names = new Set(atoms.flatMap(({ predicate }) => document.analysed.predicates.get(predicate)?.name ?? []));
    const targets = [...names].flatMap(name => targetsNamed(workspace, document, name, typePlaces));
    return targets.length === 0 ? undefined : { origin: range, targets };
}

/** Annotations that say types, the strongest first (8.4, 8.5). */
const TYPING = ['model', 'mapping', 'bind', 'qbind'] as const;

function typePlaces(places: readonly PredicatePlace[]): readonly PredicatePlace[] {
    const found = TYPING.map(name => places.filter(({ mention }) => mention.role === 'annotation' && mention.annotation === name));
    return found.find(({ length }) => length > 0) ?? [];
}

const isInside = (inner: TextRange, outer: TextRange): boolean => outer.start <= inner.start && inner.end <= outer.end;

/** A place that names a predicate, with its clause. */
interface PredicatePlace extends PlacedSymbol {
    readonly mention: PredicateMention;
}

type ChosenPlaces = (places: readonly PredicatePlace[]) => readonly PredicatePlace[];

/** The chosen places of the predicate at the offset; undefined for anything else, and where none is chosen. */
function predicateDefinition(workspace: Workspace, document: OpenDocument, offset: number, chosen: ChosenPlaces): Definition | undefined {
    const node = nodeAt(document, offset);
    if (node?.mention.kind !== 'predicate') return undefined;
    const targets = targetsNamed(workspace, document, node.mention.name, chosen);
    return targets.length === 0 ? undefined : { origin: node.range, targets };
}

function targetsNamed(workspace: Workspace, document: OpenDocument, name: string, chosen: ChosenPlaces): readonly DefinitionTarget[] {
    const isNamed = ({ mention }: PlacedSymbol): boolean => mention.kind === 'predicate';
    const documents = documentsSharing(workspace, document, other => symbolsOf(other).named(name).length > 0);
    const places = documents.map(other => ({ other, named: symbolsOf(other).named(name).filter(isNamed) as readonly PredicatePlace[] }));
    const all = new Set(chosen(places.flatMap(({ named }) => named)));
    return places.flatMap(({ other, named }) =>
        named.filter(place => all.has(place)).map(({ clause, mention }) => target(other, clause, mention)),
    );
}

function targetsOf(workspace: Workspace, document: OpenDocument, mention: Mention, clause: Clause): readonly DefinitionTarget[] {
    switch (mention.kind) {
        case 'predicate': {
            const targets = predicateTargets(
                documentsSharing(workspace, document, other => symbolsOf(other).named(mention.name).length > 0),
                mention.name,
            );
            return targets.length > 0 ? targets : predicateTargets([...workspace.documents()], mention.name);
        }
        case 'parameter':
            return documentsSharing(workspace, document, other => symbolsOf(other).parameter(mention.name).length > 0).flatMap(other =>
                symbolsOf(other)
                    .parameter(mention.name)
                    .filter(found => found.mention.kind === 'parameter' && found.mention.role === 'declaration')
                    .map(found => target(other, found.clause, found.mention)),
            );
        case 'variable': {
            const binding = bindingPlace(mentionsOfClause(document, clause), mention.name);
            return binding === undefined ? [] : [target(document, clause, binding)];
        }
        case 'sql': {
            const { part, definition } = mention;
            if (definition !== undefined) return [target(document, clause, { span: definition })];
            const table = part.kind === 'column' ? tableOfColumn(document, part) : undefined;
            return table === undefined
                ? []
                : targetsOf(workspace, document, { kind: 'predicate', name: table, role: 'query', span: mention.span }, clause);
        }
        default:
            return [];
    }
}

/** The predicate that a column of a query is of. */
function tableOfColumn({ analysed }: OpenDocument, { name, scope, qualifier }: SqlPart): string | undefined {
    const of = qualifier === undefined ? undefined : sourceNamed(scope, qualifier);
    const sources = qualifier === undefined ? sourcesOf(scope) : of === undefined ? [] : [of];
    return sources.find(source => source.table !== undefined && columnsNamed(predicateColumns(analysed), [source], name).length > 0)?.table;
}

function predicateTargets(documents: readonly OpenDocument[], name: string): readonly DefinitionTarget[] {
    const heads: DefinitionTarget[] = [];
    const facts: DefinitionTarget[] = [];
    const declarations: DefinitionTarget[] = [];
    for (const document of documents) {
        let first = true;
        for (const { clause, mention } of symbolsOf(document).named(name)) {
            if (mention.kind !== 'predicate') continue;
            if (mention.role === 'head') heads.push(target(document, clause, mention));
            if (mention.role === 'fact' && first) facts.push(target(document, clause, mention));
            first &&= mention.role !== 'fact';
            if (isDeclaration(mention)) declarations.push(target(document, clause, mention));
        }
    }
    const defined = [...facts, ...heads];
    return defined.length > 0 ? defined : declarations;
}

/** The assignment of a variable, else its first place in a positive item, else its first place. */
function bindingPlace(mentions: readonly Mention[], name: string): Mention | undefined {
    const own = mentions.filter(mention => mention.kind === 'variable' && mention.name === name);
    const withRole = (role: string): Mention | undefined => own.find(mention => mention.kind === 'variable' && mention.role === role);
    const body = withRole('body');
    const assigned = withRole('assigned');
    if (body === undefined || assigned === undefined) return body ?? assigned ?? own[0];
    return body.span.start < assigned.span.start ? body : assigned;
}

function target({ file }: OpenDocument, { place, span }: Clause, mention: Pick<Mention, 'span'>): DefinitionTarget {
    const base = place.offset;
    return {
        file,
        range: { start: base + mention.span.start, end: base + mention.span.end },
        clause: { start: base + span.start, end: base + span.end },
    };
}
