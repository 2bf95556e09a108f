import { jsonOf } from '#server/protocol/json-text.ts';
import { rowsText } from '../count-words.ts';
import { element } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { visible, visibleLines } from '../visible-text.ts';
import { callTitle } from './call-words.ts';
import { currentCall, type ToolCall } from './current-call.ts';
import { codeNode, markdownNodes } from './markdown-view.ts';
import { resultGrid } from './result-grid.ts';
import { rowsIn } from './result-rows.ts';
import { type CallPart, failureOf } from './transcript.ts';
import type { TurnEvents } from './turn-events.ts';

/** Arguments that are programs, and those that are said in the title. */
const PROGRAMS = new Set(['definition', 'program', 'old_text', 'new_text', 'text']);

/** A call of a tool: what it does, what it was given and what it gave. Rows are shown at once, the rest when it is opened. */
export function callView(call: CallPart, isRunning: boolean, events: TurnEvents): HTMLElement {
    const { result, cut } = call;
    const made = currentCall(call.tool, call.input);
    const concept = conceptOf(made);
    const failure = failureOf(result);
    const rows = rowsIn(result, concept);
    const isOpen = rows !== undefined || isToldAtOnce(made, result) || (failure !== undefined && failure.code !== 'rejected');
    const body = element('div', { class: 'call-body' });
    const state = stateOf(call, isRunning);
    const summary = element(
        'summary',
        {},
        element('span', { class: `call-state ${state.kind}` }, state.mark),
        element('span', { class: 'call-title' }, callTitle(made)),
        element('span', { class: 'muted small call-note' }, rows === undefined ? state.text : rowsText(rows.count)),
    );
    const root = element('details', { class: 'call', open: isOpen }, summary, body);
    let isDrawn = false;
    const draw = (): void => {
        if (isDrawn || !root.open) return;
        isDrawn = true;
        body.append(...argumentNodes(made, events), ...resultNodes(made, result, events));
        if (cut) body.append(element('p', { class: 'muted small' }, l10n.t('The result is longer than what is shown.')));
    };
    root.addEventListener('toggle', draw);
    draw();
    return root;
}

interface CallState {
    readonly kind: 'running' | 'failed' | 'done' | 'ended';
    readonly mark: Node | string;
    readonly text: string;
}

function stateOf({ result, proposal }: CallPart, isRunning: boolean): CallState {
    const failure = failureOf(result);
    if (failure?.code === 'rejected') return { kind: 'ended', mark: '–', text: l10n.t('rejected') };
    if (failure !== undefined) return { kind: 'failed', mark: icon('error'), text: visible(failure.code) };
    if (result !== undefined) return { kind: 'done', mark: icon('check'), text: '' };
    if (!isRunning) return { kind: 'ended', mark: '–', text: l10n.t('stopped') };
    // The proposal below says the rest.
    if (proposal?.state === 'waiting') return { kind: 'ended', mark: icon('ask'), text: '' };
    return { kind: 'running', mark: '', text: l10n.t('runs') };
}

function conceptOf({ input: { name } }: ToolCall): string | undefined {
    return typeof name === 'string' ? name : undefined;
}

/** Whether what a call gave is what was asked for. */
function isToldAtOnce({ tool }: ToolCall, result: unknown): boolean {
    return (tool === 'explain' || tool === 'search_docs') && result !== undefined;
}

function argumentNodes({ tool, input }: ToolCall, events: TurnEvents): Node[] {
    const entries = Object.entries(input);
    const short = entries.filter(([name]) => !PROGRAMS.has(name) && !(name === 'name' && entries.length === 1));
    const list = short.flatMap(([name, value]) => [
        element('dt', {}, visible(name)),
        element('dd', { class: 'value' }, visibleLines(typeof value === 'string' ? value : jsonOf(value))),
    ]);
    const programs = tool === 'save_concept' ? [] : entries.filter(([name, value]) => PROGRAMS.has(name) && typeof value === 'string');
    return [
        ...(list.length === 0 ? [] : [element('dl', { class: 'call-arguments small', 'aria-label': l10n.t('Arguments') }, ...list)]),
        ...programs.map(([name, value]) => codeNode(String(value), name === 'text' ? '' : name.replace('_', ' '), events)),
    ];
}

function resultNodes(call: ToolCall, result: unknown, events: TurnEvents): Node[] {
    if (result === undefined || result === null) return [];
    const failure = failureOf(result);
    if (failure !== undefined)
        return failure.code === 'rejected'
            ? []
            : [element('p', { class: 'call-failure' }, visibleLines(failure.message)), ...problemNodes(result)];
    const concept = conceptOf(call);
    const rows = rowsIn(result, concept);
    const { warnings, explanation, sections, diagnostics } = result as Record<string, unknown>;
    const notes = Array.isArray(warnings)
        ? warnings.map(text => element('p', { class: 'call-warning small' }, visibleLines(String(text))))
        : [];
    if (rows !== undefined) return [resultGrid(rows, events), ...notes];
    if (typeof explanation === 'string') return [explanationNode(explanation, concept, call, events), ...notes];
    if (Array.isArray(sections)) return sections.flatMap(section => sectionNodes(section, events));
    if (Array.isArray(diagnostics) && Object.keys(result).length === 1 && diagnostics.length > 0) return problemNodes(result);
    return [codeNode(JSON.stringify(JSON.parse(jsonOf(result)), undefined, 2), 'json', events)];
}

function explanationNode(text: string, concept: string | undefined, { input }: ToolCall, events: TurnEvents): HTMLElement {
    const tools = element('div', { class: 'result-tools small' });
    const tool = (label: string, act: () => void): void => {
        const made = element('button', { type: 'button', class: 'link small' }, label);
        made.addEventListener('click', act);
        tools.append(made);
    };
    if (concept !== undefined) {
        const row = Number(input['row'] ?? 0) + 1;
        tool(l10n.t('Ask'), () => events.attach({ kind: 'explanation', title: l10n.t('Why row {0} of {1} is there', row, concept), text }));
        tool(l10n.t('Rules'), () => events.open(concept));
        tool(l10n.t('All rows'), () => events.rows(concept));
    }
    return element('div', {}, element('pre', { class: 'explanation-words', tabindex: 0 }, visibleLines(text)), tools);
}

function sectionNodes(section: unknown, events: TurnEvents): Node[] {
    const { title, text } = (section ?? {}) as { readonly title?: unknown; readonly text?: unknown };
    return [
        element('section', { class: 'doc-section' }, element('h3', {}, visible(String(title))), ...markdownNodes(String(text), events)),
    ];
}

/** Problems of a program, each with its place and its code. */
function problemNodes(result: object): Node[] {
    const details = 'error' in result ? (result.error as { readonly details?: unknown }).details : result;
    const list = details !== null && typeof details === 'object' && 'diagnostics' in details ? details.diagnostics : undefined;
    if (!Array.isArray(list)) return [];
    return [
        element(
            'ul',
            { class: 'call-problems small' },
            ...list.map(({ code, message, line }) => {
                const place = typeof line === 'number' ? `${line}: ` : '';
                return element(
                    'li',
                    {},
                    element('span', { class: 'value' }, `${place}${visible(String(code))} `),
                    visible(String(message)),
                );
            }),
        ),
    ];
}
