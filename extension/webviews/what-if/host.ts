import { basename, extname } from 'node:path/posix';
import {
    type CancellationToken,
    CancellationTokenSource,
    type Disposable,
    type ExtensionContext,
    type LogOutputChannel,
    l10n,
    type Uri,
    type ViewColumn,
    type WebviewPanel,
    window,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { openPlace, parseUri } from '#extension/host/open-place.ts';
import { programName, type RunSession, type Runs } from '#extension/runs/runs.ts';
import type { WhatIf, WhatIfChanges } from '#server/protocol/what-if.ts';
import { type AnsweredView, answerView } from '../answer-view.ts';
import { columnBeside } from '../column-beside.ts';
import { loadView } from '../page.ts';
import { savePicture } from '../save-picture.ts';
import { type HostMessage, type ViewMessage, WHAT_IF, type WhatIfQuestion } from './messages.ts';

const WHAT_IF_VIEW = 'rulelang.whatIf';

/** Panels with what would be if something about a program were otherwise, one per program. */
export interface WhatIfPanels {
    /** Shows what some changes would make of the outputs of a program; resolves once it is known, or why not. */
    show(document: Uri, changes: WhatIfChanges): Promise<void>;
    /** The changes that are shown of a program. */
    changesOf(document: Uri): WhatIfChanges | undefined;
    /** The program of the panel that is looked at. */
    active(): Uri | undefined;
}

interface Surroundings {
    readonly context: ExtensionContext;
    readonly server: Server;
    readonly runs: Runs;
    readonly log: LogOutputChannel;
    /** The columns in which results are. */
    columns(): readonly ViewColumn[];
    /** A run of the program as it is now, which has rows; undefined where there is none. */
    finished(document: Uri): Promise<RunSession | undefined>;
    /** Has the user say what else is to be otherwise. */
    add(document: Uri): void;
}

interface Panel {
    show(changes: WhatIfChanges): Promise<void>;
    readonly changes: WhatIfChanges;
    readonly active: boolean;
}

export function createWhatIfPanels(surroundings: Surroundings): WhatIfPanels {
    const panels = new Map<string, { readonly panel: Panel; readonly document: Uri }>();
    return {
        async show(document, changes) {
            const key = document.toString();
            const shown = panels.get(key) ?? { panel: createPanel(surroundings, document, () => panels.delete(key)), document };
            panels.set(key, shown);
            await shown.panel.show(changes);
        },
        changesOf: document => panels.get(document.toString())?.panel.changes,
        active: () => [...panels.values()].find(({ panel }) => panel.active)?.document,
    };
}

/** A question to a run with its answer. */
interface Shown {
    /** The run, as this window and as the server knows it. */
    readonly serial: number;
    readonly reference: number;
    /** How often its rows have followed edits. */
    readonly followed: number;
    readonly whatIf?: WhatIf;
    readonly why?: string;
}

function createPanel(around: Surroundings, document: Uri, closed: () => void): Panel {
    return new WhatIfPanel(around, document, closed);
}

class WhatIfPanel implements Panel {
    readonly #around: Surroundings;
    readonly #document: Uri;
    readonly #program: string;
    readonly #panel: WebviewPanel;
    #changes: WhatIfChanges = { without: [], with: [], set: {} };
    #shown: Shown | undefined;
    /** Why there is no run to ask. */
    #why: string | undefined;
    #asking: CancellationTokenSource | undefined;
    /** Numbers what is shown: what is asked about it is not taken for what is asked about something else. */
    #version = 0;
    readonly #answering: AnsweredView<WhatIfQuestion>;
    readonly #following: Disposable;
    readonly #post: (message: HostMessage) => boolean;

    constructor(around: Surroundings, document: Uri, closed: () => void) {
        this.#around = around;
        this.#document = document;
        this.#program = programName(this.#document);
        this.#panel = window.createWebviewPanel(WHAT_IF_VIEW, l10n.t('What if: {0}', this.#program), {
            viewColumn: columnBeside(this.#document, this.#around.columns()),
            preserveFocus: true,
        });
        this.#answering = answerView<WhatIfQuestion>(
            async ({ method, params }, token) => {
                if (this.#shown === undefined || params.run !== this.#version) throw new Error(l10n.t('The rows of this run are gone.'));
                return this.#around.server.ask(method, { ...params, run: this.#shown.reference } as never, token);
            },
            reply => void this.#post(reply),
            ({ method }, message) => this.#around.log.warn(`${this.#program}: ${method}: ${message}`),
        );
        this.#following = this.#around.runs.changed(session => {
            if (session.document.toString() === this.#document.toString() && isOther(session, this.#shown)) void this.#ask();
        });
        this.#panel.onDidDispose(() => {
            this.#following.dispose();
            this.#asking?.cancel();
            this.#answering.dispose();
            closed();
        });
        this.#post = loadView(this.#panel, WHAT_IF, this.#around.context, this.#around.log, {
            title: l10n.t('What if'),
            ready: () => this.#draw(),
            receive: message => this.#receive(message),
        });
    }

    async show(next: WhatIfChanges): Promise<void> {
        this.#changes = next;
        this.#panel.reveal(undefined, true);
        await this.#ask();
    }

    get changes(): WhatIfChanges {
        return this.#changes;
    }

    get active(): boolean {
        return this.#panel.active;
    }

    #draw(): void {
        const { whatIf } = this.#shown ?? {};
        const told = this.#shown?.why ?? this.#why;
        this.#post({
            kind: 'show',
            run: this.#version,
            program: this.#program,
            changes: this.#changes,
            ...(whatIf && { whatIf }),
            ...(told !== undefined && { why: told }),
        });
    }

    async #ask(): Promise<void> {
        this.#asking?.cancel();
        const given = new CancellationTokenSource();
        this.#asking = given;
        this.#version++;
        this.#shown = undefined;
        this.#why = undefined;
        this.#draw();
        try {
            const session = await this.#around.finished(this.#document);
            if (given.token.isCancellationRequested) return;
            const { reference } = session ?? {};
            if (session === undefined || reference === undefined) this.#why = l10n.t('The program has no rows that could come or go.');
            else this.#shown = await told(this.#around.server, this.#changes, session, reference, given.token);
        } catch (reason) {
            this.#why = reason instanceof Error ? reason.message : String(reason);
        }
        if (given.token.isCancellationRequested) return;
        this.#draw();
        // Its rows may have followed an edit meanwhile.
        const now = this.#around.runs.of(this.#document);
        if (now !== undefined && now.serial === this.#shown?.serial && followedOf(now) !== this.#shown.followed) void this.#ask();
    }

    #receive(message: ViewMessage): void {
        switch (message.kind) {
            case 'ask':
                void this.#answering.respond(message);
                return;
            case 'giveUp':
                this.#answering.giveUp(message.given);
                return;
            case 'reveal':
                if (message.run === this.#version && this.#shown !== undefined)
                    reveal(this.#around.server, this.#document, this.#shown.reference, message).catch((reason: unknown) =>
                        this.#around.log.warn(String(reason)),
                    );
                return;
            case 'drop':
                this.#changes = withoutChange(this.#changes, message.of, message.text);
                void this.#ask();
                return;
            case 'add':
                this.#around.add(this.#document);
                return;
            case 'again':
                void this.#ask();
                return;
            case 'picture':
                void savePicture(this.#document, `${basename(this.#program, extname(this.#document.path))}-${message.name}`, message);
                return;
        }
    }
}

/** Whether a run that has ended has other rows than those that were asked. */
function isOther(session: RunSession, shown: Shown | undefined): boolean {
    if (shown === undefined || session.shown.kind !== 'finished') return false;
    return session.serial !== shown.serial || followedOf(session) !== shown.followed;
}

/** Asks a run what the changes do. */
async function told(
    server: Server,
    changes: WhatIfChanges,
    session: RunSession,
    reference: number,
    token: CancellationToken,
): Promise<Shown> {
    const of = { serial: session.serial, reference, followed: followedOf(session) };
    if (isNothing(changes)) return of;
    try {
        return { ...of, whatIf: await server.ask('rulelang/whatIf', { run: reference, changes }, token) };
    } catch (reason) {
        return { ...of, why: reason instanceof Error ? reason.message : String(reason) };
    }
}

/** Opens the place of a node of an explanation. */
async function reveal(
    server: Server,
    document: Uri,
    run: number,
    { node, derivation }: Extract<ViewMessage, { kind: 'reveal' }>,
): Promise<void> {
    const place = await server.ask('rulelang/reveal', { run, node, ...(derivation !== undefined && { derivation }) });
    if (place !== null) await openPlace(parseUri(place.uri), place.range, document);
}

function followedOf({ shown }: RunSession): number {
    return shown.kind === 'finished' ? (shown.followed ?? 0) : 0;
}

function isNothing({ without, with: added, set }: WhatIfChanges): boolean {
    return without.length + added.length + Object.keys(set).length === 0;
}

function withoutChange(changes: WhatIfChanges, of: keyof WhatIfChanges, text: string): WhatIfChanges {
    if (of === 'set') return { ...changes, set: Object.fromEntries(Object.entries(changes.set).filter(([name]) => name !== text)) };
    return { ...changes, [of]: changes[of].filter(clause => clause !== text) };
}
