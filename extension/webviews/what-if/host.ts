import { basename, extname } from 'node:path/posix';
import {
    type CancellationToken,
    CancellationTokenSource,
    type ExtensionContext,
    type LogOutputChannel,
    l10n,
    type Uri,
    type ViewColumn,
    window,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import { openPlace, parseUri } from '#extension/host/open-place.ts';
import { programName, type RunSession, type Runs } from '#extension/runs/runs.ts';
import type { WhatIf, WhatIfChanges } from '#server/protocol/what-if.ts';
import { answerView } from '../answer-view.ts';
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
    const panels = new Map<string, Panel & { readonly document: Uri }>();
    return {
        async show(document, changes) {
            const key = document.toString();
            const panel = panels.get(key) ?? { ...createPanel(surroundings, document, () => panels.delete(key)), document };
            panels.set(key, panel);
            await panel.show(changes);
        },
        changesOf: document => panels.get(document.toString())?.changes,
        active: () => [...panels.values()].find(panel => panel.active)?.document,
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

function createPanel({ context, server, runs, log, columns, finished, add }: Surroundings, document: Uri, closed: () => void): Panel {
    const program = programName(document);
    const panel = window.createWebviewPanel(WHAT_IF_VIEW, l10n.t('What if: {0}', program), {
        viewColumn: columnBeside(document, columns()),
        preserveFocus: true,
    });
    let changes: WhatIfChanges = { without: [], with: [], set: {} };
    let shown: Shown | undefined;
    /** Why there is no run to ask. */
    let why: string | undefined;
    let asking: CancellationTokenSource | undefined;
    /** Numbers what is shown: what is asked about it is not taken for what is asked about something else. */
    let version = 0;

    const draw = (): void => {
        const { whatIf } = shown ?? {};
        const told = shown?.why ?? why;
        post({ kind: 'show', run: version, program, changes, ...(whatIf && { whatIf }), ...(told !== undefined && { why: told }) });
    };
    const ask = async (): Promise<void> => {
        asking?.cancel();
        const given = new CancellationTokenSource();
        asking = given;
        version++;
        shown = undefined;
        why = undefined;
        draw();
        try {
            const session = await finished(document);
            if (given.token.isCancellationRequested) return;
            const { reference } = session ?? {};
            if (session === undefined || reference === undefined) why = l10n.t('The program has no rows that could come or go.');
            else shown = await told(session, reference, given.token);
        } catch (reason) {
            why = reason instanceof Error ? reason.message : String(reason);
        }
        if (given.token.isCancellationRequested) return;
        draw();
        // Its rows may have followed an edit meanwhile.
        const now = runs.of(document);
        if (now !== undefined && now.serial === shown?.serial && followedOf(now) !== shown.followed) void ask();
    };
    const told = async (session: RunSession, reference: number, token: CancellationToken): Promise<Shown> => {
        const of = { serial: session.serial, reference, followed: followedOf(session) };
        if (isNothing(changes)) return of;
        try {
            return { ...of, whatIf: await server.ask('rulelang/whatIf', { run: reference, changes }, token) };
        } catch (reason) {
            return { ...of, why: reason instanceof Error ? reason.message : String(reason) };
        }
    };
    const answering = answerView<WhatIfQuestion>(
        async ({ method, params }, token) => {
            if (shown === undefined || params.run !== version) throw new Error(l10n.t('The rows of this run are gone.'));
            return server.ask(method, { ...params, run: shown.reference } as never, token);
        },
        reply => void post(reply),
        ({ method }, message) => log.warn(`${program}: ${method}: ${message}`),
    );
    const reveal = async (node: number, derivation: number | undefined): Promise<void> => {
        if (shown === undefined) return;
        const asked = { run: shown.reference, node, ...(derivation !== undefined && { derivation }) };
        const place = await server.ask('rulelang/reveal', asked);
        if (place !== null) await openPlace(parseUri(place.uri), place.range, document);
    };
    const receive = (message: ViewMessage): void => {
        switch (message.kind) {
            case 'ask':
                void answering.respond(message);
                return;
            case 'giveUp':
                answering.giveUp(message.given);
                return;
            case 'reveal':
                if (message.run === version) reveal(message.node, message.derivation).catch((reason: unknown) => log.warn(String(reason)));
                return;
            case 'drop':
                changes = withoutChange(changes, message.of, message.text);
                void ask();
                return;
            case 'add':
                add(document);
                return;
            case 'again':
                void ask();
                return;
            case 'picture':
                void savePicture(document, `${basename(program, extname(document.path))}-${message.name}`, message);
                return;
        }
    };
    const following = runs.changed(session => {
        if (session.document.toString() !== document.toString() || shown === undefined) return;
        const isOther = session.serial !== shown.serial || followedOf(session) !== shown.followed;
        if (session.shown.kind === 'finished' && isOther) void ask();
    });
    panel.onDidDispose(() => {
        following.dispose();
        asking?.cancel();
        answering.dispose();
        closed();
    });
    const post: (message: HostMessage) => boolean = loadView(panel, WHAT_IF, context, log, {
        title: l10n.t('What if'),
        ready: draw,
        receive,
    });
    return {
        async show(next) {
            changes = next;
            panel.reveal(undefined, true);
            await ask();
        },
        get changes() {
            return changes;
        },
        get active() {
            return panel.active;
        },
    };
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
