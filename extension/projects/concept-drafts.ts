import { createHash, randomUUID } from 'node:crypto';
import fs from 'node:fs';
import { basename, join } from 'node:path';
import { PlatformError } from '#server/client/platform-error.ts';
import { either, isCount, isText, type Of, object, oneOf, optional } from '#server/protocol/shape.ts';

/** The place of a mistake in a text, one-based. */
const isFaultPlace = object({ line: isCount, column: isCount, end_line: isCount, end_column: isCount });

const isReason = either(
    /** The services say what is wrong with it. */
    object({ kind: oneOf('refused'), message: isText, place: optional(isFaultPlace) }),
    /** They could not be asked. */
    object({ kind: oneOf('waiting'), message: isText }),
    /** Another text was saved since it was begun. */
    object({ kind: oneOf('overtaken') }),
);
/** Why a draft is not what is saved. */
export type DraftReason = Of<typeof isReason>;

const isDraft = object({
    /** The address of its document. */
    uri: isText,
    text: isText,
    /** A digest of the saved text when the draft began; empty if unknown. */
    base: isText,
    /** When it was written, in milliseconds since 1970. */
    at: isCount,
    reason: isReason,
});
/** A text of a document that is kept until the services take it. */
export type Draft = Of<typeof isDraft>;

/** Drafts by the addresses of their documents, each in a file, which all windows know. */
export interface ConceptDrafts {
    of(uri: string): Draft | undefined;
    keep(draft: Draft): void;
    drop(uri: string): void;
    /** The address of the document whose draft is in this file; nothing where there is none any more. */
    uriIn(file: string): string | undefined;
}

export function conceptDrafts(folder: string): ConceptDrafts {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
    const pathOf = (uri: string): string => join(folder, `${digestOf(uri)}.json`);
    const read = (path: string): Draft | undefined => {
        try {
            const found: unknown = JSON.parse(fs.readFileSync(path, 'utf8'));
            return isDraft(found) ? found : undefined;
        } catch {
            return undefined;
        }
    };
    return {
        of: uri => read(pathOf(uri)),
        keep(draft) {
            const path = pathOf(draft.uri);
            const made = `${path}.${randomUUID()}`;
            fs.writeFileSync(made, JSON.stringify(draft), { mode: 0o600 });
            fs.renameSync(made, path);
        },
        drop: uri => fs.rmSync(pathOf(uri), { force: true }),
        uriIn: file => read(join(folder, basename(file)))?.uri,
    };
}

/** The services cannot be asked, and why. */
export class Unreached extends Error {}

/** How a text is read and saved that may become a draft. */
export interface Saved<F, S> {
    /** Finds the saved text. */
    find(): Promise<F & { readonly text: string }>;
    save(found: F): Promise<S>;
}

/**
 * Saves a text, or keeps it as a draft, which the answer is then: where the services refuse it, where they cannot be asked, and where another text
 * was saved since the draft was begun, unless it is to be saved `anyway`. `known` is the text that the editor read last.
 */
export async function saveOrKeep<F, S>(
    drafts: ConceptDrafts,
    {
        uri,
        text,
        known,
        anyway = false,
    }: { readonly uri: string; readonly text: string; readonly known?: string; readonly anyway?: boolean },
    { find, save }: Saved<F, S>,
): Promise<{ readonly saved: S } | { readonly draft: Draft }> {
    const before = drafts.of(uri);
    let base = before?.base ?? (known === undefined ? '' : digestOf(known));
    const keep = (reason: DraftReason) => {
        const draft = { uri, text, base, at: Date.now(), reason };
        drafts.keep(draft);
        return { draft };
    };
    try {
        const found = await find();
        const now = digestOf(found.text);
        if (before !== undefined && base !== now && !anyway && text !== found.text) return keep({ kind: 'overtaken' });
        // The editor has asked about what others saved before it writes.
        base = now;
        const saved = await save(found);
        drafts.drop(uri);
        return { saved };
    } catch (error) {
        const reason = reasonOf(error);
        if (reason === undefined) throw error;
        return keep(reason);
    }
}

const UNPROCESSABLE = 422;

/** Why a text that could not be saved is a draft; nothing where it cannot become one, as where it may not be changed. */
function reasonOf(error: unknown): DraftReason | undefined {
    if (error instanceof Unreached) return { kind: 'waiting', message: error.message };
    if (!(error instanceof PlatformError) || error.status !== UNPROCESSABLE) return undefined;
    const place = faultPlace(error.details);
    return { kind: 'refused', message: error.message, ...(place && { place }) };
}

/** Returns the place of the first error in an answer. */
function faultPlace(details: unknown): Of<typeof isFaultPlace> | undefined {
    const { diagnostics = [] } = (details ?? {}) as { readonly diagnostics?: readonly Readonly<Record<string, unknown>>[] };
    if (!Array.isArray(diagnostics)) return undefined;
    const { line, column, end_line, end_column } = diagnostics.find(({ severity }) => severity === 'error') ?? {};
    const place = { line, column, end_line, end_column };
    return isFaultPlace(place) ? place : undefined;
}

function digestOf(text: string): string {
    return createHash('sha256').update(text).digest('hex');
}
