import { type OpenDocument, rangeOf, type TextRange } from '#language/document/open-document.ts';
import { type PredicateKey, predicateKey } from '#language/program/analysed-program.ts';

/** Something to do with a predicate, offered above its text. */
export interface CodeLens {
    readonly range: TextRange;
    readonly action: 'run' | 'explain';
    readonly predicate: string;
    readonly key: PredicateKey;
    /** The predicate is named by `@output`. */
    readonly output: boolean;
}

/** Run and Explain above the first rule of each predicate, in text order. */
export function codeLenses({ file, analysed }: OpenDocument): readonly CodeLens[] {
    const lenses: CodeLens[] = [];
    const outputs = new Set(analysed.outputs.map(key => key.slice(0, key.lastIndexOf('/'))));
    const seen = new Set<PredicateKey>();
    for (const { rule } of analysed.rules) {
        if (rule.head.kind !== 'atoms' || rule.place.file !== file) continue;
        for (const { predicate, arguments: terms, nameSpan } of rule.head.atoms) {
            const key = predicateKey(predicate, terms.length);
            if (seen.has(key)) continue;
            seen.add(key);
            const range = rangeOf({ place: rule.place, span: nameSpan });
            const output = outputs.has(predicate);
            lenses.push({ range, action: 'run', predicate, key, output }, { range, action: 'explain', predicate, key, output });
        }
    }
    return lenses;
}
