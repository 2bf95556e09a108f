import { basename } from 'node:path/posix';
import {
    type Disposable,
    EventEmitter,
    env,
    l10n,
    MarkdownString,
    ThemeColor,
    ThemeIcon,
    type TreeDataProvider,
    TreeItem,
    TreeItemCollapsibleState,
    Uri,
    workspace,
} from 'vscode';
import { type ConceptRun, type Project, type Projects, placeOf } from '#extension/projects/projects.ts';
import { rowsText } from '#extension/projects/rows-text.ts';
import type { RunHistory } from '#extension/runs/run-history.ts';
import { mentions, type RunRecord } from '#extension/runs/run-record.ts';
import { countText, durationText } from '#extension/surfaces/number-text.ts';
import { failedItem } from './failed-item.ts';

export type Grouping = 'day' | 'program';

/** What stands in the tree of runs. */
export type RunNode =
    | {
          readonly kind: 'group';
          readonly id: string;
          readonly label: string;
          readonly records: readonly RunRecord[];
          readonly first: boolean;
      }
    | { readonly kind: 'run'; readonly record: RunRecord }
    | { readonly kind: 'more'; readonly group: Extract<RunNode, { kind: 'group' }>; readonly left: number }
    | { readonly kind: 'leaf'; readonly id: string; readonly label: string; readonly description: string; readonly icon: ThemeIcon }
    | { readonly kind: 'project'; readonly project: Project }
    | { readonly kind: 'conceptRun'; readonly project: Project; readonly run: ConceptRun }
    | { readonly kind: 'failed'; readonly id: string; readonly reason: unknown };

/** Runs of a group that are listed at a time. */
const PAGE = 200;
const { None, Collapsed, Expanded } = TreeItemCollapsibleState;

/** The runs of this workspace, by day or by program, and those of the concepts of the services that are connected. */
export class RunTree implements TreeDataProvider<RunNode> {
    readonly #history: RunHistory;
    readonly #projects: Projects;
    readonly #changes = new EventEmitter<void>();
    readonly onDidChangeTreeData = this.#changes.event;
    /** How many runs of a group are listed, where the user has asked for more. */
    readonly #listed = new Map<string, number>();
    #grouping: Grouping = 'day';
    #words: readonly string[] = [];
    /** What the filter leaves, as long as records and words stay. */
    #filtered:
        | { readonly records: readonly RunRecord[]; readonly words: readonly string[]; readonly left: readonly RunRecord[] }
        | undefined;

    constructor(history: RunHistory, projects: Projects, subscriptions: Disposable[]) {
        this.#history = history;
        this.#projects = projects;
        const refresh = (): void => this.#changes.fire();
        subscriptions.push(this.#changes, history.changed(refresh), projects.changed(refresh));
    }

    get grouping(): Grouping {
        return this.#grouping;
    }

    group(grouping: Grouping): void {
        this.#grouping = grouping;
        this.#changes.fire();
    }

    /** Leaves only runs in sight that mention all words. */
    filter(words: readonly string[]): void {
        this.#words = words;
        this.#changes.fire();
    }

    /** How many runs are in sight, of all. */
    get counts(): { readonly shown: number; readonly all: number } {
        return { shown: this.#passing().length, all: this.#history.records().length };
    }

    showMore({ group }: Extract<RunNode, { kind: 'more' }>): void {
        this.#listed.set(group.id, (this.#listed.get(group.id) ?? PAGE) + PAGE);
        this.#changes.fire();
    }

    async getChildren(node?: RunNode): Promise<RunNode[]> {
        switch (node?.kind) {
            case undefined: {
                const own = this.#groups(this.#passing());
                return [...own, ...(this.#words.length === 0 ? await this.#projectNodes() : [])];
            }
            case 'group': {
                const most = this.#listed.get(node.id) ?? PAGE;
                const listed = node.records.slice(0, most).map((record): RunNode => ({ kind: 'run', record }));
                const left = node.records.length - listed.length;
                return left === 0 ? listed : [...listed, { kind: 'more', group: node, left }];
            }
            case 'run':
                return leavesOf(node.record);
            case 'project':
                return this.#conceptRuns(node.project);
            default:
                return [];
        }
    }

    getTreeItem(node: RunNode): TreeItem {
        const item = this.#itemOf(node);
        // What is open of all says nothing about what is left in sight.
        item.id = node.kind === 'group' ? `${this.#words.join(' ')}${node.id}` : idOf(node);
        return item;
    }

    /** What stands in it is put together for the one item that is pointed at. */
    resolveTreeItem(item: TreeItem, node: RunNode): TreeItem {
        if (node.kind === 'run') item.tooltip = tooltipOf(node.record, this.#history.hasRows(node.record));
        return item;
    }

    #passing(): readonly RunRecord[] {
        const records = this.#history.records();
        const words = this.#words;
        if (words.length === 0) return records;
        if (this.#filtered?.records !== records || this.#filtered.words !== words)
            this.#filtered = { records, words, left: records.filter(record => mentions(record, words)) };
        return this.#filtered.left;
    }

    #groups(records: readonly RunRecord[]): RunNode[] {
        const groups = new Map<string, RunRecord[]>();
        const dayOf = dayNames();
        for (const record of records) {
            const key = this.#grouping === 'day' ? dayOf(record.at) : record.uri;
            const known = groups.get(key);
            if (known === undefined) groups.set(key, [record]);
            else known.push(record);
        }
        return Array.from(groups, ([key, own], at) => ({
            kind: 'group' as const,
            id: `${this.#grouping}/${key}`,
            label: this.#grouping === 'day' ? key : workspace.asRelativePath(Uri.parse(key)),
            records: own,
            first: at === 0,
        }));
    }

    async #projectNodes(): Promise<RunNode[]> {
        try {
            return (await this.#projects.list()).map(project => ({ kind: 'project', project }));
        } catch (reason) {
            return [{ kind: 'failed', id: 'projects', reason }];
        }
    }

    async #conceptRuns(project: Project): Promise<RunNode[]> {
        try {
            const { runs } = await this.#projects.contents(placeOf(project));
            return runs.map(run => ({ kind: 'conceptRun', project, run }));
        } catch (reason) {
            return [{ kind: 'failed', id: project.id, reason }];
        }
    }

    #itemOf(node: RunNode): TreeItem {
        switch (node.kind) {
            case 'group': {
                const item = new TreeItem(node.label, node.first || this.#words.length > 0 ? Expanded : Collapsed);
                item.contextValue = 'group';
                item.description = countText(node.records.length);
                item.iconPath = new ThemeIcon(this.#grouping === 'day' ? 'calendar' : 'file-code');
                return item;
            }
            case 'run':
                return this.#runItem(node.record);
            case 'more': {
                const item = new TreeItem(l10n.t('Show more'), None);
                item.description = l10n.t('{0} earlier', countText(node.left));
                item.iconPath = new ThemeIcon('ellipsis');
                item.command = { command: 'rulelang.showMoreRuns', title: l10n.t('Show more'), arguments: [node] };
                return item;
            }
            case 'leaf': {
                const item = new TreeItem(node.label, None);
                item.description = node.description;
                item.iconPath = node.icon;
                return item;
            }
            case 'project': {
                const item = new TreeItem(l10n.t('Concepts of {0}', node.project.name), Collapsed);
                item.contextValue = 'project';
                item.iconPath = new ThemeIcon('project');
                item.tooltip = l10n.t(
                    'The services keep the rows of the last run of a concept, so that two runs of one cannot be compared.',
                );
                return item;
            }
            case 'conceptRun':
                return conceptRunItem(node);
            case 'failed':
                return failedItem(node.reason);
        }
    }

    #runItem(record: RunRecord): TreeItem {
        const { at, state, label, pinned, parameters, message } = record;
        const keeps = this.#history.hasRows(record);
        const program = nameOf(record);
        const time = this.#grouping === 'day' ? timeOf(at) : momentOf(at);
        const item = new TreeItem(label ?? (this.#grouping === 'day' ? `${time} ${program}` : time), Collapsed);
        const what = [label === undefined ? '' : `${time} ${program}`, partOf(record), resultOf(record), givenText(record)];
        const marks = [pinned ? l10n.t('pinned') : '', state === 'done' && !keeps ? l10n.t('rows not kept') : ''];
        item.description = [...what, ...marks].filter(text => text !== '').join(' · ');
        item.iconPath = pinned ? new ThemeIcon('pinned') : iconOf(state);
        item.contextValue = ['run', state, ...(keeps ? ['kept'] : []), pinned ? 'pinned' : 'loose'].join('.');
        item.accessibilityInformation = { label: [item.label, stateWord(state), item.description].join(', ') };
        item.command = { command: 'rulelang.openRun', title: l10n.t('Open'), arguments: [{ kind: 'run', record } satisfies RunNode] };
        if (parameters.length === 0 && record.outputs.length === 0 && message === undefined) item.collapsibleState = None;
        return item;
    }
}

export function nameOf({ uri }: RunRecord): string {
    return basename(Uri.parse(uri).path);
}

/** A format is dear to make, and used for each of many runs. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatted(at: number, options: Intl.DateTimeFormatOptions): string {
    const key = JSON.stringify(options);
    const format = formats.get(key) ?? new Intl.DateTimeFormat(env.language, options);
    formats.set(key, format);
    return format.format(at);
}

export function momentOf(at: number): string {
    return formatted(at, { dateStyle: 'medium', timeStyle: 'medium' });
}

function timeOf(at: number): string {
    return formatted(at, { timeStyle: 'medium' });
}

/** The name of the day of a moment; formats each day once. */
function dayNames(): (at: number) => string {
    const day = (at: number): number => new Date(at).setHours(0, 0, 0, 0);
    const today = day(Date.now());
    const names = new Map([
        [today, l10n.t('Today')],
        [day(today - 1), l10n.t('Yesterday')],
    ]);
    return at => {
        const start = day(at);
        const known = names.get(start) ?? formatted(start, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
        names.set(start, known);
        return known;
    };
}

/** What was run where it was not the whole program. */
function partOf({ predicates, body }: RunRecord): string {
    return body?.replace(/\s+/gu, ' ').slice(0, 60) ?? predicates?.join(', ') ?? '';
}

function resultOf({ state, total, milliseconds }: RunRecord): string {
    const took = durationText(milliseconds);
    return state === 'done' ? `${rowsText(total)} · ${took}` : `${stateWord(state)} · ${took}`;
}

/** What a run was given, on one line. */
export function givenText({ parameters }: RunRecord): string {
    return parameters
        .filter(({ given }) => given)
        .map(({ name, text }) => `${name}=${text}`)
        .join(' ')
        .slice(0, 80);
}

function stateWord(state: RunRecord['state']): string {
    return { done: l10n.t('done'), failed: l10n.t('failed'), stopped: l10n.t('stopped'), crashed: l10n.t('broke off') }[state];
}

function iconOf(state: RunRecord['state']): ThemeIcon {
    switch (state) {
        case 'done':
            return new ThemeIcon('pass', new ThemeColor('testing.iconPassed'));
        case 'failed':
        case 'crashed':
            return new ThemeIcon('error', new ThemeColor('list.errorForeground'));
        case 'stopped':
            return new ThemeIcon('circle-slash');
    }
}

function tooltipOf(record: RunRecord, keeps: boolean): MarkdownString {
    const { at, state, milliseconds, message, parameters } = record;
    const tooltip = new MarkdownString();
    tooltip.appendMarkdown('**').appendText(nameOf(record)).appendMarkdown('**\n\n');
    tooltip.appendText(`${momentOf(at)}, ${stateWord(state)}, ${durationText(milliseconds)}`);
    if (message !== undefined) tooltip.appendMarkdown('\n\n').appendText(message);
    for (const { name, text } of parameters) tooltip.appendMarkdown('\n\n').appendText(`${name} = ${text}`);
    if (state === 'done' && !keeps) tooltip.appendMarkdown('\n\n').appendText(l10n.t('Its rows are not kept any more.'));
    return tooltip;
}

function leavesOf({ id, outputs, parameters, message }: RunRecord): RunNode[] {
    const leaf = (label: string, description: string, icon: string): RunNode => ({
        kind: 'leaf',
        id: `${id}/${icon}/${label}`,
        label,
        description,
        icon: new ThemeIcon(icon),
    });
    return [
        ...(message === undefined ? [] : [leaf(message, '', 'warning')]),
        ...outputs.map(({ key, rows }) => leaf(key.replace(/\/\d+$/u, ''), rowsText(rows), 'symbol-class')),
        ...parameters.map(({ name, text, given }) => leaf(name, given ? text : l10n.t('{0} (default)', text), 'symbol-parameter')),
    ];
}

function conceptRunItem(node: Extract<RunNode, { kind: 'conceptRun' }>): TreeItem {
    const { concept_name, state, started_at, execution_time, row_count, error } = node.run;
    const took = durationText(execution_time * 1000);
    const item = new TreeItem(concept_name, None);
    const rows = row_count === null ? '' : rowsText(row_count);
    item.description = [momentOf(Date.parse(started_at)), rows, took].filter(text => text !== '').join(' · ');
    const icons = { succeeded: 'pass', failed: 'error', stopped: 'circle-slash', timed_out: 'clock' } as const;
    item.iconPath = new ThemeIcon(icons[state]);
    item.contextValue = 'conceptRun';
    if (error !== null) item.tooltip = error.message;
    item.accessibilityInformation = { label: `${concept_name}, ${state}, ${item.description}` };
    item.command = { command: 'rulelang.openRun', title: l10n.t('Open'), arguments: [node] };
    return item;
}

export function idOf(node: RunNode): string {
    switch (node.kind) {
        case 'group':
            return node.id;
        case 'run':
            return node.record.id;
        case 'more':
            return `${node.group.id}/more`;
        case 'leaf':
            return node.id;
        case 'project':
            return `project/${node.project.scope}/${node.project.id}`;
        case 'conceptRun':
            return `concept/${node.project.id}/${node.run.concept_name}/${node.run.started_at}`;
        case 'failed':
            return `${node.id}/failed`;
    }
}
