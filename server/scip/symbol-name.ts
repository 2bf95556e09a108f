import type { OpenDocument } from '#language/document/open-document.ts';
import type { MentionOf } from '#language/symbols/mention.ts';
import type { SharedNames } from './shared-names.ts';

/** The name of a predicate or a parameter that is the same wherever it is mentioned, and the file that describes it. */
export interface SymbolName {
    readonly symbol: string;
    readonly file: string;
}

/** Names a predicate or a parameter as SCIP does. `pathOf` gives the path of a file from the folder of the project. */
export function symbolName(
    document: OpenDocument,
    mention: MentionOf<'predicate' | 'parameter'>,
    names: SharedNames,
    pathOf: (file: string) => string = file => file,
): SymbolName {
    const isPredicate = mention.kind === 'predicate';
    const file = isPredicate ? names.predicate(document, mention.name) : names.parameter(document, mention.name);
    return { symbol: `rulelang . . . ${escaped(pathOf(file))}/${escaped(mention.name)}${isPredicate ? '.' : ':'}`, file };
}

/** Other names than plain ones stand between backquotes. */
function escaped(name: string): string {
    return /^[\w+$-]+$/u.test(name) ? name : `\`${name.replaceAll('`', '``')}\``;
}
