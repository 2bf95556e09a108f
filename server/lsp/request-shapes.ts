import { countUpTo, isFlag, isText, listOf, type Shape } from '#server/protocol/shape.ts';

type Fields = Readonly<Record<string, Shape<unknown>>>;

/** An object with these members; those of `optional` may be missing, and others may be there, as the protocol has it. */
function has(required: Fields, optional: Fields = {}): Shape<object> {
    return (value): value is object => {
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
        const members = new Map(Object.entries(value));
        return (
            Object.entries(required).every(([name, shape]) => shape(members.get(name))) &&
            Object.entries(optional).every(([name, shape]) => members.get(name) === undefined || shape(members.get(name)))
        );
    };
}

const MOST = 2 ** 31 - 1;
const count = countUpTo(MOST);
const position = has({ line: count, character: count });
const range = has({ start: position, end: position });
const document = { textDocument: has({ uri: isText }) };
const place = { ...document, position };
const texts = listOf(isText, MOST);
const diagnostics = listOf(has({ range, message: isText }), MOST);
const item = has({ item: has({}) });

/** Shapes that the parameters of protocol requests must have for us to answer them. */
const SHAPES: ReadonlyMap<string, Shape<object>> = new Map([
    ['callHierarchy/incomingCalls', item],
    ['callHierarchy/outgoingCalls', item],
    ['codeAction/resolve', has({ title: isText })],
    ['textDocument/codeAction', has({ ...document, range, context: has({}, { diagnostics, only: texts }) })],
    // With a range, which the protocol does not have, those of a part.
    ['textDocument/codeLens', has(document, { range })],
    ['textDocument/completion', has(place, { context: has({}, { triggerCharacter: isText }) })],
    ['textDocument/declaration', has(place)],
    ['textDocument/definition', has(place)],
    ['textDocument/moniker', has(place)],
    ['textDocument/diagnostic', has(document, { previousResultId: isText })],
    ['textDocument/documentHighlight', has(place)],
    ['textDocument/documentLink', has(document)],
    ['textDocument/documentSymbol', has(document)],
    ['textDocument/foldingRange', has(document)],
    ['textDocument/formatting', has(document)],
    ['textDocument/hover', has(place)],
    ['textDocument/implementation', has(place)],
    ['textDocument/inlayHint', has({ ...document, range })],
    ['textDocument/inlineCompletion', has({ ...place, context: has({}) })],
    ['textDocument/inlineValue', has({ ...document, context: has({ stoppedLocation: range }) })],
    ['textDocument/linkedEditingRange', has(place)],
    ['textDocument/onTypeFormatting', has({ ...place, ch: isText })],
    ['textDocument/prepareCallHierarchy', has(place)],
    ['textDocument/prepareRename', has(place)],
    ['textDocument/prepareTypeHierarchy', has(place)],
    ['textDocument/rangeFormatting', has({ ...document, range })],
    ['textDocument/rangesFormatting', has({ ...document, ranges: listOf(range, MOST) })],
    ['textDocument/references', has({ ...place, context: has({ includeDeclaration: isFlag }) })],
    ['textDocument/rename', has({ ...place, newName: isText })],
    ['textDocument/selectionRange', has({ ...document, positions: listOf(position, MOST) })],
    ['textDocument/semanticTokens/full', has(document)],
    ['textDocument/semanticTokens/full/delta', has({ ...document, previousResultId: isText })],
    ['textDocument/semanticTokens/range', has({ ...document, range })],
    ['textDocument/signatureHelp', has(place)],
    ['textDocument/typeDefinition', has(place)],
    ['typeHierarchy/subtypes', item],
    ['typeHierarchy/supertypes', item],
    ['workspace/diagnostic', has({ previousResultIds: listOf(has({ uri: isText, value: isText }), MOST) })],
    ['workspace/executeCommand', has({ command: isText })],
    ['workspace/symbol', has({ query: isText })],
    ['workspace/willRenameFiles', has({ files: listOf(has({ oldUri: isText, newUri: isText }), MOST) })],
]);

/** Whether a request of the protocol has parameters that it can be answered with; our own requests look themselves. */
export function hasParameters(method: string, params: unknown): boolean {
    return SHAPES.get(method)?.(params) ?? true;
}
