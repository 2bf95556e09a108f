import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import type { Clause } from '#language/program/program.ts';
import { mentionsOfClause, symbolsOf } from '#language/symbols/document-symbols.ts';
import type { Mention, MentionOf } from '#language/symbols/mention.ts';
import type { PlacedSymbol } from '#language/symbols/symbol-index.ts';
import { isDefinition } from '#language/symbols/symbol-roles.ts';
import { documentsSharing, type Workspace } from '#language/symbols/workspace.ts';
import { asRead, type NodeAt, nodeAt } from './node-at.ts';

/** `declaration` stands in an annotation; `definition` gives a predicate rows, or a variable its value. */
export type ReferenceKind = 'definition' | 'declaration' | 'use' | 'negated';

export interface Reference {
    readonly file: string;
    readonly range: TextRange;
    readonly kind: ReferenceKind;
}

/** Every place that means what is at the offset, in all documents that share it, in text order for each document. */
export function references(workspace: Workspace, document: OpenDocument, offset: number): readonly Reference[] {
    const node = nodeAt(document, offset);
    return node === undefined ? [] : referencesOf(workspace, document, node);
}

/** The same for a node that is known already. */
export function referencesOf(workspace: Workspace, document: OpenDocument, node: NodeAt): readonly Reference[] {
    const { mention } = node;
    switch (mention.kind) {
        case 'predicate':
            return documentsSharing(workspace, document, other => symbolsOf(other).named(mention.name).length > 0).flatMap(other =>
                predicateReferences(other, mention.name),
            );
        case 'call':
        case 'aggregate':
            return callReferences(document, mention.name);
        case 'parameter': {
            const documents = documentsSharing(workspace, document, other => symbolsOf(other).parameter(mention.name).length > 0);
            return documents.flatMap(other =>
                symbolsOf(other)
                    .parameter(mention.name)
                    .map(found => referenceTo(other, found)),
            );
        }
        case 'variable':
        case 'anonymous':
            return clauseReferences(document, node.clause, mention);
        case 'sql':
            return aliasReferences(document, node.clause, mention);
        default:
            return [];
    }
}

/** Every place of one document that means the predicate of this name. */
function predicateReferences(document: OpenDocument, name: string): Reference[] {
    const places = symbolsOf(document).named(name);
    return places.filter(({ mention }) => isPredicate(document, mention)).map(found => referenceTo(document, found));
}

function isPredicate(document: OpenDocument, mention: PlacedSymbol['mention']): boolean {
    if (mention.kind !== 'predicate' || asRead(document, mention).kind !== 'predicate') return false;
    return mention.role !== 'query-column' || isColumnName(document, mention);
}

/** `p_0` is a column of `p` by its number, unless something calls a column so. */
function isColumnName(document: OpenDocument, { name }: MentionOf<'predicate'>): boolean {
    const isNumbered = (column: string | undefined): boolean => column?.startsWith(`${name}_`) === true && /_\d+$/u.test(column);
    return document.analysed
        .predicatesNamed(name)
        .every(({ columns, model }) => !columns.some(({ mapped, header }, i) => isNumbered(model?.fields[i]?.name ?? mapped ?? header)));
}

/** An alias of a query, where it gets its name and before the dots of columns. */
function aliasReferences(document: OpenDocument, clause: Clause, asked: MentionOf<'sql'>): Reference[] {
    const place = aliasPlace(asked);
    if (place === undefined) return [];
    return mentionsOfClause(document, clause).flatMap((mention): Reference[] => {
        if (mention.kind !== 'sql' || aliasPlace(mention) !== place) return [];
        return [{ file: document.file, range: placed(clause, mention), kind: mention.part.isDefinition ? 'definition' : 'use' }];
    });
}

/** Returns the offset of an alias's definition. */
function aliasPlace({ part, span, definition }: MentionOf<'sql'>): number | undefined {
    return part.kind === 'alias' ? (part.isDefinition ? span : definition)?.start : undefined;
}

function callReferences(document: OpenDocument, name: string): Reference[] {
    return symbolsOf(document)
        .named(name)
        .filter(({ mention }) => mention.kind === 'call' || asRead(document, mention).kind !== 'predicate')
        .map(found => referenceTo(document, found));
}

function referenceTo(document: OpenDocument, { clause, mention }: PlacedSymbol): Reference {
    return { file: document.file, range: placed(clause, mention), kind: kindOf(mention) };
}

/** The occurrences of a variable are those of its clause. */
function clauseReferences(document: OpenDocument, clause: Clause, { kind, name }: MentionOf<'variable' | 'anonymous'>): Reference[] {
    return mentionsOfClause(document, clause)
        .filter(mention => mention.kind === kind && 'name' in mention && mention.name === name)
        .map(mention => ({ file: document.file, range: placed(clause, mention), kind: kindOf(mention) }));
}

function placed({ place }: Clause, { span }: Mention): TextRange {
    return { start: place.offset + span.start, end: place.offset + span.end };
}

function kindOf(mention: Mention): ReferenceKind {
    if (mention.kind === 'parameter') return mention.role === 'declaration' ? 'declaration' : 'use';
    if (mention.kind === 'variable') return mention.role === 'assigned' ? 'definition' : mention.role === 'negated' ? 'negated' : 'use';
    if (mention.kind !== 'predicate') return 'use';
    if (isDefinition(mention)) return 'definition';
    if (mention.role === 'annotation' || mention.role === 'model') return 'declaration';
    return mention.role === 'negated' ? 'negated' : 'use';
}
