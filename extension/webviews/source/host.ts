import { type ExtensionContext, type LogOutputChannel, ViewColumn, type WebviewPanel, window } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connection } from '#extension/platform/connection.ts';
import { failureText } from '#extension/platform/failure-text.ts';
import type { Source } from '#extension/sources/source.ts';
import { createSourceReader } from '#extension/sources/source-reader.ts';
import type { SourceMessage } from '#extension/surfaces/source/source-messages.ts';
import { askAboutRows } from '../ask-about-rows.ts';
import { loadView } from '../page.ts';
import { savePicture } from '../save-picture.ts';
import { SOURCE, type ViewMessage } from './messages.ts';

const SOURCE_VIEW = 'rulelang.source';

/** Panels with the first rows of tables, one per table. */
export interface SourcePanels {
    /** Reads the rows anew, and resolves when they are there. */
    show(connection: Connection, source: Source): Promise<CommandOutcome>;
    /** Shows what a column holds beside the rows, and resolves when it is there. */
    profile(connection: Connection, source: Source, column: string): Promise<CommandOutcome>;
}

export interface SourceLogins {
    /** The password of a source that is not kept; null if the user left the question, undefined if it is not needed. */
    once(connection: Connection, source: Source): Promise<string | null | undefined>;
    /** Asks for what opens a source, and has the services know it, unless it is for once; nothing where the user leaves. */
    renew(connection: Connection, source: Source): Promise<{ readonly once?: string } | undefined>;
}

interface Panel {
    show(connection: Connection, source: Source): Promise<CommandOutcome>;
    profile(connection: Connection, source: Source, column: string): Promise<CommandOutcome>;
}

export function createSourcePanels(context: ExtensionContext, logins: SourceLogins, log: LogOutputChannel): SourcePanels {
    const panels = new Map<string, Panel>();
    const panelOf = (connection: Connection, source: Source): Panel => {
        const key = JSON.stringify([connection.id, source.id]);
        const panel = panels.get(key) ?? createPanel(context, logins, log, connection, source, () => panels.delete(key));
        panels.set(key, panel);
        return panel;
    };
    return {
        show: (connection, source) => panelOf(connection, source).show(connection, source),
        profile: (connection, source, column) => panelOf(connection, source).profile(connection, source, column),
    };
}

function createPanel(
    context: ExtensionContext,
    logins: SourceLogins,
    log: LogOutputChannel,
    opened: Connection,
    first: Source,
    closed: () => void,
): Panel {
    const { name } = first;
    const panel: WebviewPanel = window.createWebviewPanel(SOURCE_VIEW, name, { viewColumn: ViewColumn.Beside, preserveFocus: true });
    let connection = opened;
    let source = first;
    let shown: SourceMessage = { kind: 'loading', name };
    let profiled: SourceMessage | undefined;
    const reader = createSourceReader({
        tell(message) {
            if ('name' in message) shown = message;
            else profiled = message;
            post(message);
        },
        password: () => logins.once(connection, source),
        wordsOf: failureText,
        failed: (about, message) => log.info(`${about}: ${message}`),
    });
    const read = (): Promise<CommandOutcome> => reader.read(connection.client, source);
    const profile = (column: string): Promise<CommandOutcome> => reader.profile(connection.client, source, column);
    const receive = (message: ViewMessage): void => {
        switch (message.kind) {
            case 'again':
                void read();
                break;
            case 'stop':
                reader.stop();
                break;
            case 'login':
                void logins.renew(connection, source).then(login => {
                    reader.hold(login?.once);
                    return login === undefined ? undefined : read();
                });
                break;
            case 'profile':
                void profile(message.column);
                break;
            case 'leaveProfile':
                reader.leaveProfile();
                profiled = undefined;
                break;
            case 'give':
                askAboutRows(message);
                break;
            case 'picture':
                void savePicture(undefined, message.name, message);
                break;
        }
    };
    const ready = (): void => {
        for (const message of [shown, profiled]) if (message !== undefined) post(message);
    };
    const post = loadView(panel, SOURCE, context, log, { title: name, ready, receive });
    panel.onDidDispose(() => {
        reader.close();
        closed();
    });
    return {
        show(through, next) {
            connection = through;
            source = next;
            panel.reveal(undefined, true);
            return read();
        },
        async profile(through, next, column) {
            connection = through;
            source = next;
            panel.reveal(undefined, true);
            const isThere = shown.kind === 'rows' || reader.isReading;
            const [outcome] = await Promise.all([profile(column), ...(isThere ? [] : [read()])]);
            return outcome;
        },
    };
}
