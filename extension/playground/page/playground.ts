import { languageClient } from '#extension/page/editor/language-client.ts';
import { saveFile } from '#extension/page/saved-file.ts';
import { debounced, element } from '#extension/surfaces/dom.ts';
import { givenAs } from '#extension/surfaces/given-as.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { ProgramParameter } from '#extension/webviews/results/messages.ts';
import type { PlaygroundMethods } from '../language/messages.ts';
import type { FileBytes } from '../run/messages.ts';
import { askForFile } from './ask-for-file.ts';
import { withBind } from './data-bind.ts';
import { createEditorPane, type EditorPane } from './editor-pane.ts';
import { createFileTabs, type FileTabs } from './file-tabs.ts';
import type { WholeProgram } from './kept-program.ts';
import { createProgramFiles, isProgram, nameOf } from './program-files.ts';
import { createProgramRuns, type ProgramRuns } from './program-runs.ts';
import { createResultsHost, type ResultsHost } from './results-host.ts';

/** Bytes that a run may hold; browsers give no worker much more. */
const MAX_MEMORY = 2 ** 30;
/** Milliseconds without a change until the language hears of data, and the graph is drawn anew. */
const QUIET = 400;

export interface OpenedProgram {
    /** The path of the program among the files. */
    readonly program: string;
    readonly files: Iterable<readonly [path: string, content: string | Uint8Array]>;
}

export interface PlaygroundEvents {
    announce(text: string): void;
    failed(reason: unknown): void;
    running(isRunning: boolean): void;
    /** The program has been run, a row been explained, or a run been made of something that was changed. */
    reached(step: 'run' | 'explain' | 'change'): void;
    /** The program is another one, or has been changed. */
    programChanged(): void;
    pressed(event: KeyboardEvent): void;
}

/** A place in a file: of characters, or of a line from one on. */
type FilePlace = { readonly start: number; readonly end: number } | { readonly line: number; readonly column: number };

/** A program with its files: their texts, what the language says of them, and the rows of its runs. */
export class Playground {
    readonly #events: PlaygroundEvents;
    readonly #files = createProgramFiles();
    readonly language = languageClient<PlaygroundMethods>();
    /** Values of parameters as the user wrote them. */
    readonly #written = new Map<string, string>();
    /** Files that runs write for the reader, not for the program. */
    readonly #exports = new Set<string>();
    #program = '';
    #current = '';
    /** The language has not heard of the files as they are now. */
    #isUntold = false;
    #isChanged = false;
    readonly #tellSoon: () => void;
    readonly #changedSoon: () => void;
    readonly #pane: EditorPane;
    readonly #tabs: FileTabs;
    readonly #runs: ProgramRuns;
    readonly results: ResultsHost;
    /** The texts of the files. */
    readonly text: HTMLElement;

    constructor(events: PlaygroundEvents) {
        this.#events = events;
        this.#tellSoon = debounced(QUIET, () => {
            if (this.#isUntold) this.#tellFiles().catch(this.#events.failed);
        });
        this.#changedSoon = debounced(QUIET, this.#events.programChanged);
        this.#pane = createEditorPane(this.language, {
            changed: (path, text) => {
                this.#files.put(path, text);
                this.#isUntold = true;
                this.#isChanged = true;
                this.#runs.age();
                this.#tellSoon();
                this.#changedSoon();
            },
            saved: path => this.#save(path),
            announce: this.#events.announce,
        });
        this.#tabs = createFileTabs({
            opened: path => this.#openFile(path),
            added: () =>
                askForFile(this.#files, path => void this.add([[path, new Uint8Array()]]).then(this.#pane.focus, this.#events.failed)),
            saved: path => this.#save(path),
            removed: path => {
                this.#files.remove(path);
                this.#runs.age();
                this.#tellFiles().catch(this.#events.failed);
                this.#openFile(this.#program);
            },
        });
        this.text = element('section', { class: 'text-side', 'aria-label': l10n.t('Files') }, this.#tabs.root, this.#pane.root);
        this.#runs = createProgramRuns({
            changed: () => {
                this.results.update();
                this.#events.running(this.#runs.shown.kind === 'running');
                if (this.#runs.shown.kind === 'finished') this.#events.reached('run');
            },
            written: files => this.#takeWritten(files),
        });
        this.results = createResultsHost(this.#runs, {
            program: () => nameOf(this.#program),
            run: () => void this.run(),
            runWith: values => {
                for (const { name, written: text } of values) this.#written.set(name, text);
                void this.run();
            },
            parameters: () => this.#parameters(),
            open: place => {
                if (place.kind === 'source') this.openAt(place.path, placeOf({ line: place.line, character: 0 }));
                else this.openAt(place.file, placeOf(place.range.start));
            },
            openNotice: index => {
                const place = this.#runs.place(index);
                const range = 'notices' in this.#runs.shown ? this.#runs.shown.notices[index]?.range : undefined;
                if (place !== undefined) this.openAt(place.file, place);
                else if (range !== undefined) this.openAt(this.#program, placeOf(range.start));
            },
            explained: () => this.#events.reached('explain'),
            exporting: path => void this.#exports.add(path),
            pressed: this.#events.pressed,
            failed: this.#events.failed,
        });
    }

    /** The name of the program that runs. */
    get name(): string {
        return nameOf(this.#program);
    }

    /** Puts a program in the place of the one that is there. */
    async open(opened: OpenedProgram): Promise<void> {
        this.#files.replace(opened.files);
        this.#written.clear();
        this.results.forget();
        this.#runs.discard();
        this.#isChanged = false;
        await this.#tellFiles();
        this.#openFile(opened.program);
    }

    /** The program, and all files that are texts. */
    texts(): { readonly program: string; readonly files: Readonly<Record<string, string>> } {
        const known = this.#files.paths().map(path => [path, this.#files.text(path)] as const);
        return {
            program: this.#program,
            files: Object.fromEntries(known.filter((entry): entry is [string, string] => entry[1] !== undefined)),
        };
    }

    /** The program and all files, as texts where they are that. */
    whole(): WholeProgram {
        return {
            program: this.#program,
            files: this.#files.paths().map(path => [path, this.#files.text(path) ?? this.#files.bytes(path).slice()] as const),
        };
    }

    stop(): void {
        this.#runs.stop();
    }

    focus(): void {
        this.#pane.focus();
    }

    async #tellFiles(): Promise<void> {
        this.#isUntold = false;
        await this.language.ask('files', this.#files.all());
    }

    #save(path: string): void {
        saveFile(nameOf(path), new Uint8Array(this.#files.bytes(path)));
    }

    #openFile(path: string): void {
        this.#current = path;
        // What runs is the program that was looked at last.
        if (isProgram(path)) this.#program = path;
        this.#pane.open(
            path,
            this.#files.text(path),
            this.#isRead(path) ? undefined : unreadNotice(() => void this.#insertBind(path).catch(this.#events.failed)),
        );
        this.#tabs.show(this.#files.paths(), this.#current, this.#program);
        this.#events.programChanged();
    }

    /** Whether the program names a file, if it is data. */
    #isRead(path: string): boolean {
        return isProgram(path) || (this.#files.text(this.#program) ?? '').includes(nameOf(path));
    }

    openAt(file: string, place: FilePlace): void {
        const path = file.startsWith('/') ? file : `/${file}`;
        if (!this.#files.has(path)) return;
        if (path !== this.#current) this.#openFile(path);
        const { editor } = this.#pane;
        if (editor === undefined) return;
        if ('start' in place) editor.reveal(place.start, place.end);
        else editor.reveal(editor.offsetOf(place.line, place.column), editor.offsetOf(place.line, Number.MAX_SAFE_INTEGER));
    }

    /** Takes further files, and opens the first one. */
    async add(added: readonly FileBytes[]): Promise<void> {
        for (const [path, bytes] of added) this.#files.put(path, bytes);
        this.#runs.age();
        await this.#tellFiles();
        const first = added.find(([path]) => isProgram(path)) ?? added[0];
        if (first !== undefined) this.#openFile(first[0]);
    }

    async #insertBind(path: string): Promise<void> {
        await this.#tellFiles();
        const bind = await this.language.ask('bind', path);
        if (bind === null) return this.#events.announce(l10n.t("No type of source reads '{0}' in a browser.", visible(nameOf(path))));
        const text = this.#files.text(this.#program) ?? '';
        if (this.#current !== this.#program) this.#openFile(this.#program);
        this.#pane.editor?.replace(withBind(text, bind));
        this.#pane.focus();
    }

    async #parameters(): Promise<readonly ProgramParameter[]> {
        const declared = await this.language.ask('parameters', null);
        return declared.map(one => {
            const text = this.#written.get(one.name);
            return text === undefined ? one : { ...one, written: text };
        });
    }

    /** Files that a run has written are files of the page, where they are not for the reader alone. */
    #takeWritten(given: readonly FileBytes[]): void {
        const isExported = ([path]: FileBytes): boolean => this.#exports.delete(path);
        const own = given.filter(file => {
            if (!isExported(file)) return true;
            saveFile(nameOf(file[0]), new Uint8Array(file[1]));
            return false;
        });
        if (own.length === 0) return;
        for (const [path, bytes] of own) this.#files.put(path, bytes);
        this.#isUntold = true;
        this.#tellSoon();
        if (own.some(([path]) => path === this.#current)) this.#openFile(this.#current);
        else this.#tabs.show(this.#files.paths(), this.#current, this.#program);
        this.#events.announce(l10n.t('The run has written {0}.', own.map(([path]) => visible(nameOf(path))).join(', ')));
    }

    async run(): Promise<void> {
        try {
            if (this.#isUntold) await this.#tellFiles();
            const modules = await this.language.ask('modules', null);
            const given = (await this.#parameters()).flatMap(({ name, type, written: text }) =>
                text === undefined || text === '' ? [] : [[name, givenAs(text, type)] as const],
            );
            if (this.#isChanged) this.#events.reached('change');
            this.#isChanged = false;
            this.#runs.start(
                {
                    text: this.#files.text(this.#program) ?? '',
                    file: this.#program.slice(1),
                    modules,
                    currentFolder: '/',
                    roots: ['/'],
                    parameters: new Map(given),
                    limits: { maxMemory: MAX_MEMORY },
                    python: { enabled: false, network: false, door: 'editor' },
                },
                this.#files.all(),
            );
        } catch (reason) {
            this.#events.failed(reason);
        }
    }
}

/** A line of a file, from a position that counts from zero. */
function placeOf({ line, character }: { readonly line: number; readonly character: number }): FilePlace {
    return { line: line + 1, column: character + 1 };
}

/** Said of data that no rule can use yet. */
function unreadNotice(bind: () => void): HTMLElement {
    const button = element('button', { type: 'button', class: 'link' }, l10n.t('Insert a @bind that reads it'));
    button.addEventListener('click', bind);
    return element('p', {}, l10n.t('The program does not read this file yet.'), ' ', button);
}
