import { openFormSheet } from '#extension/page/form-sheet.ts';
import { savePicture } from '#extension/page/saved-file.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import {
    type HostMessage,
    type KeptColumns,
    type ProgramParameter,
    RESULTS,
    type ViewMessage,
    type ViewQuestion,
    type WrittenValues,
} from '#extension/webviews/results/messages.ts';
import type { ProcessPlace } from '#server/protocol/explaining.ts';
import { EXPORT_FORMATS, type ExportFormat } from '#server/protocol/result-formats.ts';
import type { ProcessQuestion } from '#server/protocol/run-process.ts';
import type { AskablePredicate, QuestionCheck } from '#server/protocol/why-not.ts';
import type { ProgramRuns } from './program-runs.ts';
import { openView, type ViewFrame } from './view-frame.ts';

export interface ResultsEvents {
    program(): string;
    run(): void;
    runWith(values: WrittenValues): void;
    parameters(): Promise<readonly ProgramParameter[]>;
    /** Goes to a place of a program or of a data file. */
    open(place: ProcessPlace): void;
    /** Goes to what a notice of the last run is about. */
    openNotice(index: number): void;
    /** A row has been explained. */
    explained(): void;
    /** Rows are written to this file, which is for the reader alone. */
    exporting(path: string): void;
    pressed(event: KeyboardEvent): void;
    failed(reason: unknown): void;
}

/** The rows of the last run, in a frame. */
export interface ResultsHost extends Pick<ViewFrame<HostMessage>, 'root' | 'focus'> {
    /** Shows what is known of the runs now. */
    update(): void;
    /** Another program is there: what was arranged for the one before is forgotten. */
    forget(): void;
}

export function createResultsHost(runs: ProgramRuns, events: ResultsEvents): ResultsHost {
    const asked = new Map<number, AbortController>();
    const arranged = new Map<string, KeptColumns>();

    const update = (): void => {
        const { serial, shown, stale } = runs;
        const about = { panel: 'playground', program: events.program(), withoutModels: true } as const;
        view.post({ kind: 'show', ...about, run: serial, shown, stale, density: 'compact', arranged: [...arranged.values()] });
    };
    const respond = async (question: ViewQuestion): Promise<void> => {
        const { request, method } = question;
        const given = new AbortController();
        asked.set(request, given);
        try {
            view.post({ kind: 'answer', request, result: await answer(runs, events, question, given.signal) });
        } catch (reason) {
            if (given.signal.aborted) return;
            if (method === 'rulelang/export') events.failed(reason);
            view.post({ kind: 'refusal', request, message: reason instanceof Error ? reason.message : String(reason) });
        } finally {
            asked.delete(request);
        }
    };
    const askParameters = async (): Promise<void> => {
        view.post({ kind: 'parameters', parameters: await events.parameters() });
    };
    const receive = (message: ViewMessage): void => {
        switch (message.kind) {
            case 'ask':
                void respond(message);
                return;
            case 'giveUp':
                asked.get(message.given)?.abort();
                return;
            case 'reveal':
                reveal(runs, message, events.open).catch(events.failed);
                return;
            case 'notice':
                if (noticeAt(message.index)?.setting) askParameters().catch(events.failed);
                else events.openNotice(message.index);
                return;
            case 'copy':
                navigator.clipboard.writeText(message.text).catch(events.failed);
                return;
            case 'picture':
                savePicture(message);
                return;
            case 'arranged':
                arranged.set(message.arranged.output, message.arranged);
                return;
            case 'runAgain':
                events.run();
                return;
            case 'runWith':
                events.runWith(message.values);
                return;
            case 'stop':
                runs.stop();
                return;
            case 'openParameters':
                askParameters().catch(events.failed);
                return;
            case 'askMissing':
                askMissing(runs, message.question, view).catch(events.failed);
                return;
            // There are no two runs to compare, no settings, no sets of values, no agent and no log.
            case 'change':
            case 'give':
            case 'keepSet':
            case 'forgetSet':
            case 'openSetting':
            case 'showOutput':
                return;
        }
    };
    const noticeAt = (index: number) => ('notices' in runs.shown ? runs.shown.notices[index] : undefined);
    const view = openView(RESULTS, { title: l10n.t('Results'), ready: update, receive, pressed: events.pressed });
    return { root: view.root, focus: view.focus, update, forget: () => arranged.clear() };
}

/** Asks for a fact that is missing, and has the view explain why. */
async function askMissing(runs: ProgramRuns, question: string, view: ViewFrame<HostMessage>): Promise<void> {
    const run = runs.serial;
    const predicates = (await runs.ask(run, { method: 'rulelang/predicates', params: { run } })) as readonly AskablePredicate[];
    openFormSheet({
        title: l10n.t('Which row is missing?'),
        text: l10n.t('Write it as a fact: texts in quotes, _ for any value.'),
        fields: () => [
            {
                name: 'question',
                label: l10n.t('Fact'),
                value: question,
                suggestions: predicates.map(({ name, columns }) => `${name}(${columns.map(() => '_').join(', ')})`),
            },
        ],
        label: l10n.t('Ask'),
        async act({ question: written = '' }) {
            const params = { run, question: written };
            const { problem } = (await runs.ask(run, { method: 'rulelang/checkQuestion', params })) as QuestionCheck;
            if (problem === undefined) view.post({ kind: 'missing', question: written });
            return problem === undefined ? undefined : visible(problem);
        },
        closed: () => view.focus(),
    });
}

/** Opens the place of a node of an explanation. */
async function reveal(
    runs: ProgramRuns,
    { run, node, derivation }: Extract<ViewMessage, { kind: 'reveal' }>,
    open: ResultsEvents['open'],
): Promise<void> {
    const params = { run, node, ...(derivation !== undefined && { derivation }) };
    const place = (await runs.ask(run, { method: 'rulelang/reveal', params })) as ProcessPlace | null;
    if (place !== null) open(place);
}

/** Answers a question of the view by its run. */
async function answer(runs: ProgramRuns, events: ResultsEvents, { method, params }: ViewQuestion, signal: AbortSignal): Promise<unknown> {
    if (method === 'rulelang/explain') events.explained();
    if (method !== 'rulelang/export') return runs.ask(params.run, { method, params } as ProcessQuestion, signal);
    const path = exportPath(params.view.output, params.format);
    events.exporting(path);
    return runs.ask(params.run, { method, params: { ...params, path } }, signal);
}

/** A file for the rows of an output, which is for the reader alone. */
function exportPath(output: string, format: ExportFormat): string {
    const name = output.replace(/\/\d+$/u, '').replaceAll(/[^\w.-]/gu, '_');
    return `/exported/${name}.${EXPORT_FORMATS[format].ending}`;
}
