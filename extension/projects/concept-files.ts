import { createHash } from 'node:crypto';
import {
    type Disposable,
    type Event,
    EventEmitter,
    type FileChangeEvent,
    FileChangeType,
    FilePermission,
    type FileStat,
    FileSystemError,
    type FileSystemProvider,
    FileType,
    l10n,
    RelativePattern,
    type TextDocument,
    Uri,
    workspace,
} from 'vscode';
import { CONCEPT_SCHEME } from '#extension/host/concept-scheme.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { type ConceptDrafts, conceptDrafts, type Draft, saveOrKeep, Unreached } from './concept-drafts.ts';
import { type ConceptDocument, conceptUri, readConceptUri } from './concept-uri.ts';
import type { Concept, Projects } from './projects.ts';

/** The saved form of a concept, as a save answers it. */
export type SavedConcept = Awaited<ReturnType<Connection['client']['saveConcept']>>;

/**
 * Concepts and their scripts as files: read from the services and written back to them. What cannot be saved is kept as a draft, which is what the
 * editor reads then.
 */
export class ConceptFiles implements FileSystemProvider {
    readonly #drafts: ConceptDrafts;
    readonly #projects: Projects;
    readonly #changes = new EventEmitter<FileChangeEvent[]>();
    readonly #saves = new EventEmitter<{ readonly uri: Uri; readonly saved: SavedConcept }>();
    /** When the concepts of documents that were read had been saved last. */
    readonly #read = new Map<string, string>();
    /** The state of a file after the editor has written it: without it, the editor could take what others have saved since for its own. */
    readonly #written = new Map<string, FileStat>();
    /** The texts that the editor read last. */
    readonly #known = new Map<string, string>();
    readonly #drafted = new EventEmitter<Uri>();
    /** The connection by which drafts that waited for one were saved last. */
    #retried: Connection | undefined;
    /** A document has another draft, or none any more. */
    readonly onDidDraft: Event<Uri> = this.#drafted.event;
    readonly onDidChangeFile: Event<FileChangeEvent[]> = this.#changes.event;
    readonly onDidSave: Event<{ readonly uri: Uri; readonly saved: SavedConcept }> = this.#saves.event;

    /** `drafts` is the folder of drafts. */
    constructor(projects: Projects, drafts: string, subscriptions: Disposable[]) {
        this.#projects = projects;
        this.#drafts = conceptDrafts(drafts);
        const others = workspace.createFileSystemWatcher(new RelativePattern(Uri.file(drafts), '*.json'));
        const look = (file: Uri): void => this.#tellDraft(this.#drafts.uriIn(file.fsPath));
        const lookAtAll = (): void => {
            for (const { uri } of workspace.textDocuments) this.#tellDraft(uri.toString());
        };
        subscriptions.push(
            this.#changes,
            this.#saves,
            this.#drafted,
            others,
            others.onDidChange(look),
            others.onDidCreate(look),
            others.onDidDelete(lookAtAll),
            projects.changed(() => void this.#retry(workspace.textDocuments)),
            workspace.onDidOpenTextDocument(document => void this.#saveWaiting(document)),
            workspace.registerFileSystemProvider(CONCEPT_SCHEME, this, { isCaseSensitive: true }),
            projects.changed(() => void this.#tellChanges()),
        );
    }

    watch(): Disposable {
        return { dispose: () => undefined };
    }

    async stat(uri: Uri): Promise<FileStat> {
        const written = this.#written.get(uri.toString());
        this.#written.delete(uri.toString());
        if (written !== undefined) return written;
        const draft = this.draftOf(uri);
        if (draft !== undefined) return statOfDraft(draft);
        const { concept, text } = await this.#find(uri);
        return { ...statOf(concept, text), ...(isSaved(uri) && { permissions: FilePermission.Readonly }) };
    }

    /** Returns the draft of an unsaved document. */
    draftOf(uri: Uri): Draft | undefined {
        return isSaved(uri) ? undefined : this.#drafts.of(uri.toString());
    }

    async readFile(uri: Uri): Promise<Uint8Array> {
        const draft = this.draftOf(uri);
        if (draft !== undefined) return Buffer.from(draft.text);
        const { concept, text } = await this.#find(uri);
        this.#read.set(uri.toString(), concept.updated_at);
        this.#known.set(uri.toString(), text);
        return Buffer.from(text);
    }

    async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
        if (isSaved(uri)) throw FileSystemError.NoPermissions(uri);
        await this.#save(uri, Buffer.from(content).toString());
    }

    /** Saves a draft, whatever others have saved since it was begun. */
    async saveDraft(uri: Uri): Promise<void> {
        const draft = this.draftOf(uri);
        if (draft !== undefined) await this.#save(uri, draft.text, true);
        this.#changes.fire([{ type: FileChangeType.Changed, uri }]);
    }

    /** The document is again what is saved. */
    discardDraft(uri: Uri): void {
        this.#drafts.drop(uri.toString());
        this.#drafted.fire(uri);
        this.#changes.fire([{ type: FileChangeType.Changed, uri }]);
    }

    async #save(uri: Uri, text: string, anyway = false): Promise<void> {
        const key = uri.toString();
        const known = this.#known.get(key);
        try {
            const outcome = await saveOrKeep(
                this.#drafts,
                { uri: key, text, anyway, ...(known !== undefined && { known }) },
                { find: () => this.#findNow(uri), save: found => this.#write(uri, found, text) },
            );
            if ('draft' in outcome) {
                this.#written.set(key, statOfDraft(outcome.draft));
            } else {
                this.#read.set(key, outcome.saved.updated_at);
                this.#known.set(key, text);
                this.#written.set(key, statOf(outcome.saved, text));
                this.#saves.fire({ uri, saved: outcome.saved });
            }
            this.#drafted.fire(uri);
        } catch (reason) {
            throw reason instanceof FileSystemError ? reason : new FileSystemError(failureText(reason));
        } finally {
            this.#projects.refresh();
        }
    }

    async #write(uri: Uri, { concept, connection }: FoundConcept, text: string): Promise<SavedConcept> {
        const { project, script } = this.#documentOf(uri);
        const asked = connection.client.saveConcept({
            path: { project_id: project.id },
            body: {
                scope: project.scope,
                existing_name: concept.concept_name,
                concept_name: concept.concept_name,
                concept_type: concept.concept_type as 'logic' | 'sql',
                definition: script === undefined ? text : concept.definition,
                ...(script !== undefined && { python_scripts: { ...concept.python_scripts, [script]: text } }),
            },
        });
        return asked.catch(reason => {
            throw isAnswer(reason) ? reason : new Unreached(failureText(reason));
        });
    }

    /** Saves the drafts that wait, once there are services again. */
    async #retry(documents: readonly TextDocument[]): Promise<void> {
        const connection = this.#projects.connection();
        if (connection === undefined || connection === this.#retried) return;
        this.#retried = connection;
        for (const document of documents) await this.#saveWaiting(document);
    }

    async #saveWaiting({ uri }: TextDocument): Promise<void> {
        const draft = readConceptUri(uri) && this.draftOf(uri);
        if (draft?.reason.kind !== 'waiting' || readConceptUri(uri)?.connection !== this.#projects.connection()?.id) return;
        // What is wrong then stands in the draft.
        await this.#save(uri, draft.text).catch(() => undefined);
        this.#changes.fire([{ type: FileChangeType.Changed, uri }]);
    }

    /** Another window has changed the draft of a document. */
    #tellDraft(key: string | undefined): void {
        const uri = workspace.textDocuments.find(document => document.uri.toString() === key)?.uri;
        if (uri === undefined || readConceptUri(uri) === undefined) return;
        this.#drafted.fire(uri);
        this.#changes.fire([{ type: FileChangeType.Changed, uri }]);
    }

    async readDirectory(): Promise<[string, FileType][]> {
        return [];
    }

    createDirectory(): void {
        throw FileSystemError.NoPermissions(l10n.t('Concepts are made in the view of concepts'));
    }

    delete(): void {
        throw FileSystemError.NoPermissions(l10n.t('Concepts are deleted in the view of concepts'));
    }

    rename(): void {
        throw FileSystemError.NoPermissions(l10n.t('Concepts are renamed in the view of concepts'));
    }

    #documentOf(uri: Uri): ConceptDocument {
        const document = readConceptUri(uri);
        if (document === undefined) throw FileSystemError.FileNotFound(uri);
        return document;
    }

    /** Finds the saved text, once the services can be asked. */
    async #find(uri: Uri): Promise<FoundConcept> {
        const { connection: id } = this.#documentOf(uri);
        const connection = await this.#projects.reach(id);
        if (connection === undefined) throw FileSystemError.Unavailable(notConnected(id));
        return this.#findIn(connection, uri).catch(reason => {
            throw reason instanceof FileSystemError ? reason : FileSystemError.Unavailable(failureText(reason));
        });
    }

    /** The same, if the services can be asked now: saving does not wait for them. */
    async #findNow(uri: Uri): Promise<FoundConcept> {
        const { connection: id } = this.#documentOf(uri);
        const connection = this.#projects.connection();
        if (connection?.id !== id) throw new Unreached(notConnected(id));
        return this.#findIn(connection, uri).catch(reason => {
            throw reason instanceof FileSystemError || isAnswer(reason) ? reason : new Unreached(failureText(reason));
        });
    }

    /** Finds the currently saved text, and not that of the last request, since it reveals conflicts. */
    async #findIn(connection: Connection, uri: Uri): Promise<FoundConcept> {
        const { project, concept: name, script } = this.#documentOf(uri);
        const listed = await connection.client.listConcepts({
            path: { project_id: project.id },
            query: { scope: project.scope, concept_name: name },
        });
        const concept = listed.find(({ concept_name }) => concept_name === name);
        const text = script === undefined ? concept?.definition : concept?.python_scripts[script];
        if (concept === undefined || text === undefined) throw FileSystemError.FileNotFound(uri);
        return { concept, text, connection };
    }

    /** Tells the editor about open documents that others have saved meanwhile. */
    async #tellChanges(): Promise<void> {
        const changes: FileChangeEvent[] = [];
        for (const { uri } of workspace.textDocuments) {
            const document = readConceptUri(uri);
            const before = this.#read.get(uri.toString());
            if (document === undefined || before === undefined || document.connection !== this.#projects.connection()?.id) continue;
            const concept = await this.#projects.concept(document.project, document.concept).catch(() => undefined);
            if (concept !== undefined && concept.updated_at !== before) changes.push({ type: FileChangeType.Changed, uri });
        }
        if (changes.length > 0) this.#changes.fire(changes);
    }
}

interface FoundConcept {
    readonly concept: Concept;
    readonly text: string;
    readonly connection: Connection;
}

const UNAUTHORIZED = 401;
const SERVER_ERRORS = 500;

/** The services have looked at what they were asked, and refuse it. */
function isAnswer(reason: unknown): boolean {
    return reason instanceof PlatformError && reason.status !== UNAUTHORIZED && reason.status > 0 && reason.status < SERVER_ERRORS;
}

function notConnected(connection: string): string {
    return l10n.t('{0} is not connected. Connect to it to read and save its concepts.', connection);
}

const SAVED = 'saved';

/** The document with what is saved of a concept, whatever draft there is. */
export function savedUri(uri: Uri): Uri {
    return uri.with({ query: SAVED });
}

function isSaved({ query }: Uri): boolean {
    return query === SAVED;
}

function statOfDraft({ text, at }: Draft): FileStat {
    return { type: FileType.File, ctime: at, mtime: at, size: distinctSize(text) };
}

function statOf({ created_at, updated_at }: Concept, text: string): FileStat {
    return { type: FileType.File, ctime: Date.parse(created_at), mtime: Date.parse(updated_at), size: distinctSize(text) };
}

/** Most bytes by which a reported size may be wrong. */
const SIZE_ERROR = 4096;

/**
 * Returns a size that differs for texts of one length. The editor notices a newer text, and asks before it writes over it, only if the size
 * differs, too.
 */
function distinctSize(text: string): number {
    const digest = createHash('sha256').update(text).digest();
    return Buffer.byteLength(text) + (digest.readUInt32LE(0) % SIZE_ERROR);
}

/** The document of a concept of the active connection. */
export function uriOfConcept(connection: Connection, concept: Concept, script?: string): Uri {
    return conceptUri({
        connection: connection.id,
        project: { scope: concept.scope as 'user' | 'organization', id: concept.project_id },
        concept: concept.concept_name,
        isSql: concept.concept_type === 'sql',
        ...(script !== undefined && { script }),
    });
}
