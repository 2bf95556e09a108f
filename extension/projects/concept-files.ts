import { createHash } from 'node:crypto';
import {
    type Disposable,
    type Event,
    EventEmitter,
    type FileChangeEvent,
    FileChangeType,
    type FileStat,
    FileSystemError,
    type FileSystemProvider,
    FileType,
    l10n,
    type Uri,
    workspace,
} from 'vscode';
import type { Connection } from '#extension/platform/connection.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import { CONCEPT_SCHEME, type ConceptDocument, conceptUri, readConceptUri } from './concept-uri.ts';
import type { Concept, Projects } from './projects.ts';

/** The saved form of a concept, as a save answers it. */
export type SavedConcept = Awaited<ReturnType<Connection['client']['saveConcept']>>;

/** Concepts and their scripts as files: read from the services and written back to them. */
export class ConceptFiles implements FileSystemProvider {
    readonly #projects: Projects;
    readonly #changes = new EventEmitter<FileChangeEvent[]>();
    readonly #saves = new EventEmitter<{ readonly uri: Uri; readonly saved: SavedConcept }>();
    /** When the concepts of documents that were read had been saved last. */
    readonly #read = new Map<string, string>();
    /** What the editor learns when it looks at what it has written: it may not take for its own what others have saved since. */
    readonly #written = new Map<string, FileStat>();
    readonly onDidChangeFile: Event<FileChangeEvent[]> = this.#changes.event;
    readonly onDidSave: Event<{ readonly uri: Uri; readonly saved: SavedConcept }> = this.#saves.event;

    constructor(projects: Projects, subscriptions: Disposable[]) {
        this.#projects = projects;
        subscriptions.push(
            this.#changes,
            this.#saves,
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
        const { concept, text } = await this.#find(uri);
        return statOf(concept, text);
    }

    async readFile(uri: Uri): Promise<Uint8Array> {
        const { concept, text } = await this.#find(uri);
        this.#read.set(uri.toString(), concept.updated_at);
        return Buffer.from(text);
    }

    async writeFile(uri: Uri, content: Uint8Array): Promise<void> {
        const document = this.#documentOf(uri);
        const { concept, connection } = await this.#find(uri);
        const text = Buffer.from(content).toString();
        const { project, script } = document;
        try {
            const saved = await connection.client.saveConcept({
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
            this.#read.set(uri.toString(), saved.updated_at);
            this.#written.set(uri.toString(), statOf(saved, text));
            this.#saves.fire({ uri, saved });
        } catch (reason) {
            throw new FileSystemError(failureText(reason));
        } finally {
            this.#projects.refresh();
        }
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

    /** What is saved now, not what was when it was last asked for: conflicts are found by it. */
    async #find(uri: Uri): Promise<{ readonly concept: Concept; readonly text: string; readonly connection: Connection }> {
        const document = this.#documentOf(uri);
        const connection = await this.#projects.reach(document.connection);
        if (connection === undefined)
            throw FileSystemError.Unavailable(
                l10n.t('{0} is not connected. Connect to it to read and save its concepts.', document.connection),
            );
        const { project, concept: name, script } = document;
        const listed = await connection.client
            .listConcepts({ path: { project_id: project.id }, query: { scope: project.scope, concept_name: name } })
            .catch(reason => {
                throw FileSystemError.Unavailable(failureText(reason));
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

function statOf({ created_at, updated_at }: Concept, text: string): FileStat {
    return { type: FileType.File, ctime: Date.parse(created_at), mtime: Date.parse(updated_at), size: distinctSize(text) };
}

/** Sizes in bytes are told with an error up to this. */
const SIZE_ERROR = 4096;

/**
 * The editor takes a newer text for another one, and asks before it writes over it, only where its size is another one, too. So texts of
 * one length are told as if they had different ones.
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
