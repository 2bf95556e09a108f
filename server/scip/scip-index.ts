import type { OpenDocument } from '#language/document/open-document.ts';
import { documentationOf } from '#language/editing/documentation.ts';
import { asRead } from '#language/editing/node-at.ts';
import { predicateSignature } from '#language/editing/signatures.ts';
import type { Clause } from '#language/program/program.ts';
import type { Span } from '#language/program/span.ts';
import { mentionsOfClause } from '#language/symbols/document-symbols.ts';
import type { Mention, PredicateMention } from '#language/symbols/mention.ts';
import { isDeclaration, isDefinition } from '#language/symbols/symbol-roles.ts';
import { workspaceOf } from '#language/symbols/workspace.ts';
import { positionAt, type SourceText, sourceText } from '#server/notices/source-texts.ts';
import { ProtobufWriter } from './protobuf-writer.ts';
import { type SharedNames, sharedNames } from './shared-names.ts';
import { symbolName } from './symbol-name.ts';

/** The metadata of an index. */
export interface IndexedProject {
    /** Of the folder in which the files of the documents are; their names are paths below it. */
    readonly rootUri: string;
    readonly version: string;
}

/** Fields of the messages of scip.proto that are written. */
const INDEX = { metadata: 1, documents: 2 } as const;
const METADATA = { toolInfo: 2, projectRoot: 3, textEncoding: 4 } as const;
const TOOL = { name: 1, version: 2 } as const;
const DOCUMENT = { path: 1, occurrences: 2, symbols: 3, language: 4, text: 5, positionEncoding: 6 } as const;
const OCCURRENCE = { range: 1, symbol: 2, roles: 3, enclosing: 7 } as const;
const SYMBOL = { symbol: 1, documentation: 3, kind: 5, displayName: 6, signature: 7 } as const;
/** Values of its enumerations. */
const UTF8 = 1;
const UTF16_UNITS = 2;
const ROLES = { definition: 1, write: 4, read: 8 } as const;
const KINDS = { parameter: 37, predicate: 40 } as const;

const LANGUAGE = 'rulelang';

/** An index of programs, as SCIP has it: where predicates, parameters and variables are defined and used, and what is said of them. */
export function scipIndex(documents: readonly OpenDocument[], { rootUri, version }: IndexedProject): Uint8Array {
    const names = sharedNames(workspaceOf(...documents));
    const tool = new ProtobufWriter().text(TOOL.name, 'rulelang').text(TOOL.version, version);
    const metadata = new ProtobufWriter()
        .message(METADATA.toolInfo, tool)
        .text(METADATA.projectRoot, rootUri)
        .count(METADATA.textEncoding, UTF8);
    const index = new ProtobufWriter().message(INDEX.metadata, metadata);
    for (const document of documents) index.message(INDEX.documents, documentMessage(document, names));
    return index.finish();
}

function documentMessage(document: OpenDocument, names: SharedNames): ProtobufWriter {
    const message = new ProtobufWriter().text(DOCUMENT.path, document.file);
    const source = sourceText(document.text);
    const told = new Set<string>();
    const withFacts = new Set<string>();
    let locals = 0;
    for (const clause of document.program.clauses) {
        const variables = new Map<string, string>();
        for (const written of mentionsOfClause(document, clause)) {
            const mention = asRead(document, written);
            const found = symbolOf(document, mention, names, name => {
                const known = variables.get(name) ?? `local ${locals++}`;
                variables.set(name, known);
                return known;
            });
            if (found === undefined) continue;
            const roles = rolesOf(mention, withFacts);
            message.message(DOCUMENT.occurrences, occurrence(source, clause, mention.span, found.symbol, roles));
            if (found.file !== document.file || told.has(found.symbol)) continue;
            told.add(found.symbol);
            message.message(DOCUMENT.symbols, information(document, mention, found.symbol));
        }
    }
    return message.text(DOCUMENT.language, LANGUAGE).count(DOCUMENT.positionEncoding, UTF16_UNITS);
}

/** Returns the symbol of a mention, and the file that describes it; undefined for a mention without a shared name. */
function symbolOf(
    document: OpenDocument,
    mention: Mention,
    names: SharedNames,
    localOf: (name: string) => string,
): { readonly symbol: string; readonly file?: string } | undefined {
    switch (mention.kind) {
        case 'predicate':
        case 'parameter':
            return symbolName(document, mention, names);
        case 'variable':
            return { symbol: localOf(mention.name) };
        default:
            return undefined;
    }
}

/** Heads, the first fact, and declarations define; facts give rows. */
function rolesOf(mention: Mention, withFacts: Set<string>): number {
    if (mention.kind === 'parameter') return mention.role === 'declaration' ? ROLES.definition : ROLES.read;
    if (mention.kind === 'variable') return mention.role === 'assigned' ? ROLES.definition : ROLES.read;
    if (mention.kind !== 'predicate') return 0;
    if (!isDefinition(mention)) return isDeclaration(mention) ? ROLES.definition : ROLES.read;
    return isFurtherFact(mention, withFacts) ? ROLES.write : ROLES.definition | ROLES.write;
}

function isFurtherFact({ role, name }: PredicateMention, withFacts: Set<string>): boolean {
    if (role !== 'fact') return false;
    const isFurther = withFacts.has(name);
    withFacts.add(name);
    return isFurther;
}

function occurrence(source: SourceText, { place, span: whole }: Clause, span: Span, symbol: string, roles: number): ProtobufWriter {
    const enclosing = (roles & ROLES.definition) === 0 || symbol.startsWith('local ') ? [] : rangeOf(source, place.offset, whole);
    return new ProtobufWriter()
        .counts(OCCURRENCE.range, rangeOf(source, place.offset, span))
        .text(OCCURRENCE.symbol, symbol)
        .count(OCCURRENCE.roles, roles)
        .counts(OCCURRENCE.enclosing, enclosing);
}

/** Three numbers within a line, else four. */
function rangeOf(source: SourceText, offset: number, { start, end }: Span): readonly number[] {
    const [from, to] = [positionAt(source, offset + start), positionAt(source, offset + end)];
    return from.line === to.line ? [from.line, from.character, to.character] : [from.line, from.character, to.line, to.character];
}

function information({ analysed }: OpenDocument, mention: Mention, symbol: string): ProtobufWriter {
    const message = new ProtobufWriter().text(SYMBOL.symbol, symbol);
    if (mention.kind === 'parameter') return message.count(SYMBOL.kind, KINDS.parameter).text(SYMBOL.displayName, mention.name);
    if (mention.kind !== 'predicate') return message;
    const predicates = analysed.predicatesNamed(mention.name);
    for (const text of new Set(predicates.flatMap(one => documentationOf(analysed, one)?.markdown ?? [])))
        message.text(SYMBOL.documentation, text);
    const signature = new ProtobufWriter()
        .text(DOCUMENT.language, LANGUAGE)
        .text(DOCUMENT.text, predicates.map(one => predicateSignature(one).label).join('\n'));
    return message.count(SYMBOL.kind, KINDS.predicate).text(SYMBOL.displayName, mention.name).message(SYMBOL.signature, signature);
}
