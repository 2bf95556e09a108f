import { relative, resolve } from 'node:path';
import {
    type CancellationToken,
    CancellationTokenSource,
    type ExtensionContext,
    type LogOutputChannel,
    l10n,
    type TestItem,
    TestMessage,
    type TestRun,
    TestRunProfileKind,
    TestRunRequest,
    tests,
    Uri,
    window,
} from 'vscode';
import type { Server } from '#extension/host/client.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { type Acceptances, createAcceptances } from '#extension/tests/acceptances.ts';
import { chosenTests, type FolderTests } from '#extension/tests/chosen-tests.ts';
import { failureMessages } from '#extension/tests/failure-message.ts';
import { RuleCoverage } from '#extension/tests/rule-coverage.ts';
import { onInputsChanged } from '#extension/tests/test-inputs.ts';
import { runTests } from '#extension/tests/test-process.ts';
import { createTestTree, textOf } from '#extension/tests/test-tree.ts';
import type { TestedFile, TestLine } from '#server/protocol/tests.ts';

const CONTROLLER = 'rulelang.tests';

interface Surroundings {
    readonly context: ExtensionContext;
    readonly server: Server;
    readonly log: LogOutputChannel;
    /** Registers a command that is refused in restricted mode. */
    readonly register: (name: string, handler: (...args: never[]) => Promise<CommandOutcome>) => void;
    /** Refuses what is done in restricted mode. */
    readonly trusted: <A extends unknown[]>(run: (...args: A) => Promise<CommandOutcome>) => (...args: A) => Promise<CommandOutcome>;
}

/** The test cases of the workspace in the editor's view of tests: run, run with coverage, run again when files change, and accepted. */
export function createTestsView({ context, server, log, register, trusted }: Surroundings): void {
    const { subscriptions } = context;
    const cli = context.asAbsolutePath('server/cli.js');
    const controller = tests.createTestController(CONTROLLER, l10n.t('Test cases of rules'));
    subscriptions.push(controller);
    const tree = createTestTree(controller, server, subscriptions);
    const acceptances = createAcceptances(subscriptions);

    const runOnce = async (request: TestRunRequest, token: CancellationToken): Promise<void> => {
        if (request.include === undefined) await tree.find(token);
        const chosen = await chosenTests(request, controller, tree);
        const run = controller.createTestRun(request);
        try {
            const coverage = request.profile?.kind === TestRunProfileKind.Coverage;
            for (const folder of chosen) for (const { cases } of folder.files) for (const one of cases.values()) run.enqueued(one);
            for (const folder of chosen) await runFolder({ cli, acceptances }, run, folder, { coverage, token });
        } catch (reason) {
            log.error(String(reason));
            run.appendOutput(`${String(reason)}\r\n`);
        } finally {
            run.end();
        }
    };

    const runAgain = (request: TestRunRequest, token: CancellationToken): void => {
        const again = new TestRunRequest(request.include, request.exclude, request.profile, true);
        const listening = onInputsChanged(() => runOnce(again, token));
        token.onCancellationRequested(() => listening.dispose());
    };
    const handle = trusted(async (request: TestRunRequest, token: CancellationToken) => {
        if (request.continuous === true) runAgain(request, token);
        else await runOnce(request, token);
        return 'done';
    });
    const handler = async (request: TestRunRequest, token: CancellationToken): Promise<void> => void (await handle(request, token));
    controller.createRunProfile(l10n.t('Run'), TestRunProfileKind.Run, handler, true, undefined, true);
    const covering = controller.createRunProfile(l10n.t('Run with coverage'), TestRunProfileKind.Coverage, handler, true, undefined, true);
    covering.loadDetailedCoverage = async (_, coverage) => (coverage instanceof RuleCoverage ? coverage.details : []);

    register('acceptDerived', async (about?: unknown, line?: unknown) => {
        const cases = acceptedCases(about);
        if (await acceptances.accept(cases, typeof line === 'number' ? line : messageLine(about))) {
            const files = [...new Set(cases.flatMap(({ uri }) => (uri && tree.file(uri)) ?? []))];
            await runOnce(new TestRunRequest(files), new CancellationTokenSource().token);
            return 'done';
        }
        void window.showInformationMessage(l10n.t('There is nothing to accept: run the test case as it is written now.'));
        return 'nothing to do';
    });
    const acceptedCases = (about: unknown): TestItem[] => {
        if (about instanceof Uri) return acceptances.of(about);
        if (about === undefined) return acceptances.of(window.activeTextEditor?.document.uri);
        const { test = about } = (about ?? {}) as { readonly test?: unknown };
        const { id, uri } = (test ?? {}) as Partial<TestItem>;
        const all = uri instanceof Uri ? acceptances.of(uri) : [];
        return id === uri?.toString() ? all : all.filter(item => item.id === id);
    };
}

interface FolderRuns {
    /** The command line. */
    readonly cli: string;
    readonly acceptances: Acceptances;
}

/** Runs the tests of a folder, and reports to a run of the editor. */
async function runFolder(
    { cli, acceptances }: FolderRuns,
    run: TestRun,
    { folder, files }: FolderTests,
    { coverage, token }: { readonly coverage: boolean; readonly token: CancellationToken },
): Promise<void> {
    const texts = new Map(
        await Promise.all(files.map(async ({ path, item }) => [path, await textOf(item.uri ?? Uri.file(path))] as const)),
    );
    const waiting = new Set(files.flatMap(({ cases }) => [...cases.values()]));
    for (const one of waiting) run.started(one);
    let said = '';
    const line = (told: TestLine): void => {
        if ('file' in told) {
            const file = files.find(({ path }) => path === resolve(folder, told.file));
            if (file !== undefined)
                tellFile(run, file, told, waiting, (one, failures) => acceptances.put(one, texts.get(file.path) ?? '', failures));
        } else for (const covered of told.coverage) run.addCoverage(new RuleCoverage(resolve(folder, covered.file), covered));
    };
    const isPart = files.some(({ isWhole }) => !isWhole);
    const names = isPart ? [...new Set(files.flatMap(({ cases }) => [...cases.keys()]))] : [];
    const selection = { folder, files: files.map(({ path }) => relative(folder, path)), cases: names, coverage };
    const hear = (text: string): void => {
        said += text;
        run.appendOutput(text.replaceAll(/\r?\n/gu, '\r\n'));
    };
    await runTests(cli, selection, { line, said: hear }, token);
    if (token.isCancellationRequested) return;
    const reason = said.trim() === '' ? l10n.t('The test case was not run.') : said.trim();
    for (const one of waiting) run.errored(one, new TestMessage(reason));
}

/** Reports the cases of a file, which are `waiting` no more. */
function tellFile(
    run: TestRun,
    file: FolderTests['files'][number],
    tested: TestedFile,
    waiting: Set<TestItem>,
    put: (one: TestItem, failures: TestedFile['cases'][number]['failures']) => void,
): void {
    const uri = Uri.file(file.path);
    if (tested.problems.length > 0) {
        for (const one of file.cases.values()) {
            waiting.delete(one);
            run.errored(one, new TestMessage(tested.problems.join('\n')));
        }
    }
    for (const { name, milliseconds, failures } of tested.cases) {
        const one = file.cases.get(name);
        if (one === undefined || !waiting.delete(one)) continue;
        put(one, failures);
        if (failures.length === 0) run.passed(one, milliseconds);
        else
            run.failed(
                one,
                failures.flatMap(failure => failureMessages(uri, failure)),
                milliseconds,
            );
    }
}

/** The line of a message whose menu was used. */
function messageLine(about: unknown): number | undefined {
    const { message } = (about ?? {}) as { readonly message?: unknown };
    return message instanceof TestMessage ? message.location?.range.start.line : undefined;
}
