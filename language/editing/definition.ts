import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import type { Clause } from '#language/program/program.ts';
import { type SqlPart, sourceNamed, sourcesOf } from '#language/sql/sql-outline.ts';
import { mentionsOfClause, symbolsOf } from '#language/symbols/document-symbols.ts';
import type { Mention } from '#language/symbols/mention.ts';
import { isDeclaration } from '#language/symbols/symbol-roles.ts';
import { documentsSharing, type Workspace } from '#language/symbols/workspace.ts';
import { includeAt } from './include-at.ts';
import { nodeAt } from './node-at.ts';
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
