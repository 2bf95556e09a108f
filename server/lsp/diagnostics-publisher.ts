import type { OpenDocument } from '#language/document/open-document.ts';
import type { Documents, EditorDocument } from '#server/workspace/documents.ts';
import type { Guard } from './guard.ts';
import { upToDate } from './turns.ts';

/** Sees to it that the client learns which problems documents have. */
export interface DiagnosticsPublisher {
    /** The client has opened a document or changed its text. */
    edited(uri: string): void;
    /** The problems of a document may be others for another reason. */
    schedule(uri: string): void;
    /** The same for all documents. */
    scheduleAll(): void;
    /** The same for documents whose meaning may change with this one, or with any of the workspace; unchanged problems are not sent. */
    scheduleDependents(uri?: string): void;
    clear(uri: string): void;
}

/** How the client learns of problems. */
export interface Telling {
    /** It asks by itself for the problems of what it has opened or changed. */
    readonly asksAfterEdits: boolean;
    /** Tells what is known early of a document that was opened, before what it means is found out. */
    begin(document: EditorDocument): void;
    /** Tells the problems of a document, which is up to date. */
    tell(document: EditorDocument): void;
    closed(uri: string): void;
    /** Something in the workspace may have other problems; in all its programs or only in those that include others. */
    changed(what: 'all' | 'dependent'): void;
}

/** Changes that come within this many milliseconds of each other are diagnosed together, */
const PAUSE = 2;
/** but not longer than this. */
const LONGEST = 50;
/** Documents that depend on one that is being typed are diagnosed after so many milliseconds. */
const DEPENDENT = 30;

/** `dependents` are documents whose problems depend on programs that include them. */
export function diagnosticsPublisher(
    documents: Documents,
    guard: Guard,
    telling: Telling,
    dependents: () => Iterable<string> = () => [],
): DiagnosticsPublisher {
    const waiting = new Map<string, { readonly since: number; readonly timer: NodeJS.Timeout }>();
    const cancel = (uri: string): number | undefined => {
        const waits = waiting.get(uri);
        clearTimeout(waits?.timer);
        waiting.delete(uri);
        return waits?.since;
    };
    const told = new Map<string, OpenDocument>();
    const publish = (uri: string, isWanted = (_: EditorDocument): boolean => true): void => {
        waiting.delete(uri);
        const document = documents.get(uri);
        if (document === undefined) return;
        const tell = (): void => {
            if (!isWanted(document)) return;
            told.set(uri, document.program);
            telling.tell(document);
        };
        const failed = (error: unknown): void => void guard.failed('diagnostics', error);
        // A change that comes meanwhile has them published later.
        const isGivenUp = (): boolean => waiting.has(uri) || documents.get(uri) !== document;
        try {
            if (!told.has(uri)) telling.begin(document);
            const rest = upToDate(document, isGivenUp);
            if (rest === undefined) tell();
            else rest.then(tell).catch(error => (isGivenUp() ? undefined : failed(error)));
        } catch (error) {
            failed(error);
        }
    };
    const schedule = (uri: string): void => {
        const now = performance.now();
        const since = cancel(uri) ?? now;
        waiting.set(uri, { since, timer: setTimeout(publish, now - since >= LONGEST ? 0 : PAUSE, uri) });
    };
    const scheduleDependent = (uri: string, isAlwaysTold: boolean): void => {
        if (waiting.has(uri)) return;
        const publishChanged = (): void => publish(uri, ({ program }) => isAlwaysTold || program !== told.get(uri));
        waiting.set(uri, { since: performance.now(), timer: setTimeout(publishChanged, DEPENDENT) });
    };
    return {
        edited: uri => {
            if (telling.asksAfterEdits) cancel(uri);
            else schedule(uri);
        },
        schedule: uri => {
            schedule(uri);
            telling.changed('dependent');
        },
        scheduleAll: () => {
            for (const uri of documents.uris) schedule(uri);
            telling.changed('all');
        },
        scheduleDependents: (uri = '') => {
            const others = new Set(dependents());
            for (const other of others) if (other !== uri) scheduleDependent(other, true);
            for (const other of documents.including(uri)) if (!others.has(other)) scheduleDependent(other, false);
            telling.changed('dependent');
        },
        clear: uri => {
            cancel(uri);
            told.delete(uri);
            telling.closed(uri);
        },
    };
}
