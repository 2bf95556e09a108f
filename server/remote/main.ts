import { RunStopped } from '#engine/reports/reports.ts';
import { say } from '#language/program/say.ts';
import { PlatformError } from '#server/client/platform-error.ts';
import { reportNotice } from '#server/notices/notice.ts';
import { isRefusal } from '#server/notices/refusal.ts';
import { visible } from '#server/notices/visible-text.ts';
import { EXIT, type Streams } from '#server/protocol/jobs.ts';
import { DataDirectoryError } from '#server/store/data-directory.ts';
import { askConcepts, type ConceptRequest } from './concepts.ts';
import { type Connection, connect, type ServiceOptions } from './connect.ts';
import { askModel, type ModelRequest } from './models.ts';
import { askForProgram, type ProgramRequest } from './programs.ts';
import { askProjects, type ProjectRequest } from './projects.ts';
import { sayNotice, sayRefusal } from './refusal.ts';
import { askSources, type SourceRequest } from './sources.ts';
import { standardTerminal, type Terminal } from './terminal.ts';

/** Asks a platform service about concepts and prints what it answers; gives the exit code. */
export function concepts(request: ConceptRequest, service: ServiceOptions, streams: Streams): Promise<number> {
    return ask('concept', service, standardTerminal(streams), ({ client }, terminal) => askConcepts(request, client, terminal));
}

/** Asks a platform service about projects and prints what it answers; gives the exit code. */
export function projects(request: ProjectRequest, service: ServiceOptions, streams: Streams): Promise<number> {
    return ask('project', service, standardTerminal(streams), async ({ client }, terminal) => {
        await askProjects(request, client, terminal);
        return true;
    });
}

/** Has a platform service ask a model for a program, and prints it; gives the exit code. */
export function programs(request: ProgramRequest, service: ServiceOptions, streams: Streams): Promise<number> {
    return ask('ask', service, standardTerminal(streams), async ({ client }, terminal) => {
        await askForProgram(request, client, terminal);
        return true;
    });
}

/** Shows, changes or tries the model that a platform service asks, and prints what it answers; gives the exit code. */
export function models(request: ModelRequest, service: ServiceOptions, streams: Streams): Promise<number> {
    return ask('model', service, standardTerminal(streams), async ({ client }, terminal) => {
        await askModel(request, client, terminal);
        return true;
    });
}

/** Asks a platform service about sources of data and prints what it answers; gives the exit code. */
export function sources(request: SourceRequest, service: ServiceOptions, streams: Streams): Promise<number> {
    return ask('data', service, standardTerminal(streams), ({ client }, terminal) => askSources(request, client, terminal));
}

async function ask(
    command: string,
    service: ServiceOptions,
    terminal: Terminal,
    question: (connection: Connection, terminal: Terminal) => Promise<boolean>,
): Promise<number> {
    const fail = (message: string): number => {
        terminal.say(say`rulelang ${command}: ${visible(message)}\n`);
        return EXIT.failed;
    };
    try {
        const connection = connect(service, seconds => terminal.say(say`The service is busy; trying again in ${seconds} s\n`));
        try {
            return (await question(connection, terminal)) ? EXIT.fine : EXIT.failed;
        } catch (error) {
            const reason = networkReason(error);
            if (reason === undefined) throw error;
            return fail(say`${connection.baseUrl} cannot be reached: ${reason}`);
        }
    } catch (error) {
        if (isRefusal(error, 'service') || error instanceof DataDirectoryError) return fail(error.message);
        if (error instanceof PlatformError) sayRefusal(error, undefined, terminal);
        else if (error instanceof RunStopped) sayNotice(reportNotice(error.report), terminal);
        else throw error;
        return EXIT.failed;
    }
}

/** Why `fetch` got no answer; undefined for every other error. */
function networkReason(error: unknown): string | undefined {
    if (!(error instanceof TypeError) || !(error.cause instanceof Error)) return undefined;
    const { message } = error.cause;
    const code = 'code' in error.cause ? String(error.cause.code) : '';
    return message === '' ? code : message;
}
