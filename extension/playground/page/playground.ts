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
import { createEditorPane } from './editor-pane.ts';
import { createFileTabs } from './file-tabs.ts';
import type { WholeProgram } from './kept-program.ts';
import { createProgramFiles, isProgram, nameOf } from './program-files.ts';
import { createProgramRuns } from './program-runs.ts';
import { createResultsHost } from './results-host.ts';

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
export function createPlayground(events: PlaygroundEvents) {
    const files = createProgramFiles();
    const language = languageClient<PlaygroundMethods>();
    /** Values of parameters as the user wrote them. */
    const written = new Map<string, string>();
    /** Files that runs write for the reader, not for the program. */
    const exports = new Set<string>();
    let program = '';
    let current = '';
    /** The language has not heard of the files as they are now. */
    let isUntold = false;
    let isChanged = false;

    const tellFiles = async (): Promise<void> => {
        isUntold = false;
        await language.ask('files', files.all());
    };
    const tellSoon = debounced(QUIET, () => {
        if (isUntold) tellFiles().catch(events.failed);
    });
    const save = (path: string): void => saveFile(nameOf(path), new Uint8Array(files.bytes(path)));
    const changedSoon = debounced(QUIET, events.programChanged);
    const pane = createEditorPane(language, {
        changed(path, text) {
            files.put(path, text);
            isUntold = true;
            isChanged = true;
            runs.age();
            tellSoon();
            changedSoon();
        },
        saved: save,
        announce: events.announce,
    });
    const tabs = createFileTabs({
        opened: path => openFile(path),
        added: () => askForFile(files, path => void addFiles([[path, new Uint8Array()]]).then(pane.focus, events.failed)),
        saved: save,
        removed(path) {
            files.remove(path);
            runs.age();
            tellFiles().catch(events.failed);
            openFile(program);
        },
    });
    const runs = createProgramRuns({
        changed() {
            results.update();
            events.running(runs.shown.kind === 'running');
            if (runs.shown.kind === 'finished') events.reached('run');
        },
        written: takeWritten,
    });
    const results = createResultsHost(runs, {
        program: () => nameOf(program),
        run: () => void run(),
        runWith(values) {
            for (const { name, written: text } of values) written.set(name, text);
            void run();
        },
        parameters,
        open: place => {
            if (place.kind === 'source') openAt(place.path, placeOf({ line: place.line, character: 0 }));
            else openAt(place.file, placeOf(place.range.start));
        },
        openNotice(index) {
            const place = runs.place(index);
            const range = 'notices' in runs.shown ? runs.shown.notices[index]?.range : undefined;
            if (place !== undefined) openAt(place.file, place);
            else if (range !== undefined) openAt(program, placeOf(range.start));
        },
        explained: () => events.reached('explain'),
        exporting: path => void exports.add(path),
        pressed: events.pressed,
        failed: events.failed,
    });

    const openFile = (path: string): void => {
        current = path;
        // What runs is the program that was looked at last.
        if (isProgram(path)) program = path;
        pane.open(path, files.text(path), isRead(path) ? undefined : unreadNotice(() => void insertBind(path).catch(events.failed)));
        tabs.show(files.paths(), current, program);
        events.programChanged();
    };
    /** Whether the program names a file, if it is data. */
    const isRead = (path: string): boolean => isProgram(path) || (files.text(program) ?? '').includes(nameOf(path));
    const openAt = (file: string, place: FilePlace): void => {
        const path = file.startsWith('/') ? file : `/${file}`;
        if (!files.has(path)) return;
        if (path !== current) openFile(path);
        const { editor } = pane;
        if (editor === undefined) return;
        if ('start' in place) editor.reveal(place.start, place.end);
        else editor.reveal(editor.offsetOf(place.line, place.column), editor.offsetOf(place.line, Number.MAX_SAFE_INTEGER));
    };
    const addFiles = async (added: readonly FileBytes[]): Promise<void> => {
        for (const [path, bytes] of added) files.put(path, bytes);
        runs.age();
        await tellFiles();
        const first = added.find(([path]) => isProgram(path)) ?? added[0];
        if (first !== undefined) openFile(first[0]);
    };
    const insertBind = async (path: string): Promise<void> => {
        await tellFiles();
        const bind = await language.ask('bind', path);
        if (bind === null) return events.announce(l10n.t("No type of source reads '{0}' in a browser.", visible(nameOf(path))));
        const text = files.text(program) ?? '';
        if (current !== program) openFile(program);
        pane.editor?.replace(withBind(text, bind));
        pane.focus();
    };

    async function parameters(): Promise<readonly ProgramParameter[]> {
        const declared = await language.ask('parameters', null);
        return declared.map(one => {
            const text = written.get(one.name);
            return text === undefined ? one : { ...one, written: text };
        });
    }
    /** Files that a run has written are files of the page, where they are not for the reader alone. */
    function takeWritten(given: readonly FileBytes[]): void {
        const isExported = ([path]: FileBytes): boolean => exports.delete(path);
        const own = given.filter(file => {
            if (!isExported(file)) return true;
            saveFile(nameOf(file[0]), new Uint8Array(file[1]));
            return false;
        });
        if (own.length === 0) return;
        for (const [path, bytes] of own) files.put(path, bytes);
        isUntold = true;
        tellSoon();
        if (own.some(([path]) => path === current)) openFile(current);
        else tabs.show(files.paths(), current, program);
        events.announce(l10n.t('The run has written {0}.', own.map(([path]) => visible(nameOf(path))).join(', ')));
    }
    const run = async (): Promise<void> => {
        try {
            if (isUntold) await tellFiles();
            const modules = await language.ask('modules', null);
            const given = (await parameters()).flatMap(({ name, type, written: text }) =>
                text === undefined || text === '' ? [] : [[name, givenAs(text, type)] as const],
            );
            if (isChanged) events.reached('change');
            isChanged = false;
            runs.start(
                {
                    text: files.text(program) ?? '',
                    file: program.slice(1),
                    modules,
                    currentFolder: '/',
                    roots: ['/'],
                    parameters: new Map(given),
                    limits: { maxMemory: MAX_MEMORY },
                    python: { enabled: false, network: false, door: 'editor' },
                },
                files.all(),
            );
        } catch (reason) {
            events.failed(reason);
        }
    };
    return {
        text: element('section', { class: 'text-side', 'aria-label': l10n.t('Files') }, tabs.root, pane.root),
        results,
        language,
        /** The name of the program that runs. */
        get name() {
            return nameOf(program);
        },
        /** Puts a program in the place of the one that is there. */
        async open(opened: OpenedProgram): Promise<void> {
            files.replace(opened.files);
            written.clear();
            results.forget();
            runs.discard();
            isChanged = false;
            await tellFiles();
            openFile(opened.program);
        },
        /** Takes further files, and opens the first one. */
        add: addFiles,
        /** The program, and all files that are texts. */
        texts(): { readonly program: string; readonly files: Readonly<Record<string, string>> } {
            const known = files.paths().map(path => [path, files.text(path)] as const);
            return { program, files: Object.fromEntries(known.filter((entry): entry is [string, string] => entry[1] !== undefined)) };
        },
        /** The program and all files, as texts where they are that. */
        whole: (): WholeProgram => ({
            program,
            files: files.paths().map(path => [path, files.text(path) ?? files.bytes(path).slice()] as const),
        }),
        openAt,
        run,
        stop: runs.stop,
        focus: pane.focus,
    };
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
