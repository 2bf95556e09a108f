import type { OpenDocument, TextRange } from '#language/document/open-document.ts';
import { ANNOTATIONS } from '#language/library/annotation-catalogue.ts';
import { functionNamed } from '#language/library/function-catalogue.ts';
import { isAggregateName } from '#language/program/aggregates.ts';
import { say } from '#language/program/say.ts';
import { isReservedInSql } from '#language/sql/sql-keywords.ts';
import { mentionsOfClause, symbolsOf } from '#language/symbols/document-symbols.ts';
import type { Mention, MentionOf } from '#language/symbols/mention.ts';
import type { PlacedSymbol } from '#language/symbols/symbol-index.ts';
import { documentsSharing, programsWith, type Workspace } from '#language/symbols/workspace.ts';
import type { TextEdit } from './format-edits.ts';
import { type NodeAt, nodeAt } from './node-at.ts';
import { referencesOf } from './references.ts';

/** The name to rename at an offset, or a refusal. */
export type RenameTarget =
    | { readonly kind: 'name'; readonly range: TextRange; readonly name: string }
    | { readonly kind: 'refused'; readonly message: string };

export type Renaming =
    | {
          readonly kind: 'edits';
          readonly edits: ReadonlyMap<string, readonly TextEdit[]>;
          /** The script whose rows have the old name for a key (12.2). */
          readonly script?: { readonly name: string; readonly key: string };
      }
    | { readonly kind: 'refused'; readonly message: string };

/** The name under the cursor, or why it cannot be renamed. */
export function renameTarget(document: OpenDocument, offset: number): RenameTarget {
    const node = nodeAt(document, offset);
    const named = node === undefined ? undefined : renamable(node.mention);
    if (node === undefined || named === undefined) return refused(say`Only predicates, variables and parameters can be renamed`);
    const { mention, range } = node;
    const column = mention.kind === 'predicate' && document.text.slice(range.start, range.end) !== named;
    return column ? refused(say`This name is written with escapes`) : { kind: 'name', range, name: named };
}

/** The edits, by file, that give the thing at the offset another name everywhere; or why there are none. */
export function renameEdits(workspace: Workspace, document: OpenDocument, offset: number, newName: string): Renaming {
    const target = renameTarget(document, offset);
    const node = nodeAt(document, offset);
    if (target.kind === 'refused') return target;
    if (node === undefined) return refused(say`Nothing here has a name`);
    if (newName === target.name) return { kind: 'edits', edits: new Map() };
    const objection = objectionTo(workspace, document, node, newName);
    if (objection !== undefined) return refused(objection);
    const edits = new Map<string, TextEdit[]>();
    const places = [...referencesOf(workspace, document, node), ...promptPlaces(document, node)];
    for (const { file, range } of places) {
        const edit = { start: range.start, end: range.end, text: newName };
        const known = edits.get(file);
        if (known === undefined) edits.set(file, [edit]);
        else known.push(edit);
    }
    return { kind: 'edits', edits, ...scriptOf(node) };
}

/** The rows that a script returns have the variables of the head for keys. */
function scriptOf({ mention, clause }: NodeAt): Pick<Extract<Renaming, { kind: 'edits' }>, 'script'> {
    if (mention.kind !== 'variable' || clause.kind !== 'rule' || clause.body.kind !== 'script') return {};
    return { script: { name: clause.body.script, key: mention.name } };
}

function refused(message: string): { readonly kind: 'refused'; readonly message: string } {
    return { kind: 'refused', message };
}

function renamable(mention: Mention): string | undefined {
    if (mention.kind === 'sql') return isAlias(mention) ? mention.part.name : undefined;
    return mention.kind === 'predicate' || mention.kind === 'variable' || mention.kind === 'parameter' ? mention.name : undefined;
}

/** A table of a query by another name, or what a WITH defines; columns that get a name may be used under it elsewhere. */
function isAlias({ part: { kind, name, source, start, end } }: MentionOf<'sql'>): boolean {
    return kind === 'alias' && source !== undefined && end - start === name.length;
}

function objectionTo(workspace: Workspace, document: OpenDocument, { mention, clause }: NodeAt, newName: string): string | undefined {
    switch (mention.kind) {
        case 'predicate':
            return predicateObjection(workspace, document, mention.name, newName);
        case 'variable': {
            if (!/^[A-Z]\w*$/.test(newName)) return say`A variable starts with an upper-case letter and has letters, digits and _`;
            if (newName.toLowerCase() === 'null') return say`'${newName}' is reserved`;
            const taken = mentionsOfClause(document, clause).find(other => other.kind === 'variable' && other.name === newName);
            return (
                taken &&
                say`'${newName}' is already a variable of this clause, in line ${lineAt(document, clause.place.offset + taken.span.start)}`
            );
        }
        case 'parameter': {
            if (!/^[A-Za-z]\w*$/.test(newName)) return say`A parameter starts with a letter and has letters, digits and _`;
            const met = reach(workspace, document, other => symbolsOf(other).parameter(mention.name).length > 0);
            const taken = firstOf(met, other => symbolsOf(other).parameter(newName)[0]);
            return taken && say`'${newName}' is already a parameter, in ${taken}`;
        }
        case 'sql':
            if (!/^[A-Za-z_]\w*$/u.test(newName)) return say`A name in a query starts with a letter and has letters, digits and _`;
            return isReservedInSql(newName) ? say`'${newName}' is reserved` : undefined;
        default:
            return undefined;
    }
}

/** The documents that a new name would meet: those that share the old one, and all that are in a program with them. */
function reach(workspace: Workspace, document: OpenDocument, mentions: (document: OpenDocument) => boolean): readonly OpenDocument[] {
    return programsWith(workspace, ...documentsSharing(workspace, document, mentions));
}

const RESERVED: ReadonlySet<string> = new Set(['not', 'in', 'dom', 'null']);

function predicateObjection(workspace: Workspace, document: OpenDocument, name: string, newName: string): string | undefined {
    const invalid = predicateNameObjection(newName);
    if (invalid !== undefined) return invalid;
    if (isAggregateName(newName) || functionNamed(newName, document.analysed.libraryPrefixes) !== undefined) {
        return say`'${newName}' is a function`;
    }
    const met = reach(workspace, document, other => symbolsOf(other).named(name).length > 0);
    const taken = firstOf(met, other => takenAt(other, newName));
    return taken && say`'${newName}' is already a predicate, in ${taken}`;
}

function takenAt(document: OpenDocument, name: string): PlacedSymbol | undefined {
    return symbolsOf(document)
        .named(name)
        .find(({ mention }) => mention.kind === 'predicate' && !mention.role.startsWith('query') && !isForeign(mention.annotation));
}

/** Names the first place that `placeIn` finds: `line 3` of the edited document, which comes first, or of a file. */
function firstOf(documents: readonly OpenDocument[], placeIn: (document: OpenDocument) => PlacedSymbol | undefined): string | undefined {
    for (const document of documents) {
        const found = placeIn(document);
        if (found === undefined) continue;
        const file = decodeURIComponent(document.file.slice(document.file.lastIndexOf('/') + 1));
        return say`line ${lineAt(document, found.clause.place.offset + found.mention.span.start)} of ${file}`;
    }
    return undefined;
}

/** One-based. */
function lineAt({ text }: OpenDocument, offset: number): number {
    return text.slice(0, offset).split('\n').length;
}

/** Names in annotations that are not ours mean nothing. */
function isForeign(annotation: string | undefined): boolean {
    return annotation !== undefined && !ANNOTATIONS.has(annotation);
}

/** Why a text cannot be the name of a predicate. */
export function predicateNameObjection(name: string): string | undefined {
    if (!/^[a-z]\w*$/.test(name)) return say`A predicate starts with a lower-case letter and has letters, digits and _`;
    return RESERVED.has(name) ? say`'${name}' is reserved` : undefined;
}

/** `${V}` in the prompts of a clause means the variable where no parameter has its name. */
function promptPlaces(document: OpenDocument, { mention, clause }: NodeAt): { readonly file: string; readonly range: TextRange }[] {
    if (mention.kind !== 'variable' || document.analysed.parameters.get(mention.name)?.value !== undefined) return [];
    const base = clause.place.offset;
    return mentionsOfClause(document, clause)
        .filter(other => other.kind === 'parameter' && other.name === mention.name && document.text.charAt(base + other.span.end) === '}')
        .map(({ span }) => ({ file: document.file, range: { start: base + span.start, end: base + span.end } }));
}
