import { countText } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';

/** Decides which parts of answers to leave out for large documents. The log says so, once for each document and part. */
export interface LargeDocuments {
    /** As many as editors show, in their order; those that matter less go first. */
    most<T>(uri: string, things: string, all: readonly T[], matters?: (one: T) => boolean): readonly T[];
    /** Whether the whole text gets colours; a part always does. */
    isColoured(document: { readonly uri: string; readonly text: string }): boolean;
    forget(uri: string): void;
}

/** VS Code lists so many symbols and folds of a file of its own languages. */
const MOST = 5000;
/** UTF-16 units: all colours of a longer text are millions of numbers. */
const LONGEST_COLOURED = 2 * 1024 * 1024;

export function largeDocuments(log: (text: string) => void): LargeDocuments {
    const told = new Map<string, Set<string>>();
    const tell = (uri: string, text: string): void => {
        const known = told.get(uri) ?? new Set();
        told.set(uri, known);
        if (known.has(text)) return;
        known.add(text);
        log(`${uri}: ${text}`);
    };
    return {
        most: (uri, things, all, matters = () => true) => {
            if (all.length <= MOST) return all;
            tell(uri, say`only ${countText(MOST)} ${things} are shown`);
            const chosen = new Set([...all.filter(matters), ...all.filter(one => !matters(one))].slice(0, MOST));
            return all.filter(one => chosen.has(one));
        },
        isColoured: ({ uri, text }) => {
            if (text.length <= LONGEST_COLOURED) return true;
            tell(
                uri,
                say`too large for the colours of the whole text; those of the part on the screen are shown where the editor asks for it`,
            );
            return false;
        },
        forget: uri => told.delete(uri),
    };
}
