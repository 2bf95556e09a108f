import {
    type Disposable,
    EventEmitter,
    l10n,
    MarkdownString,
    ThemeColor,
    ThemeIcon,
    type TreeDataProvider,
    TreeItem,
    TreeItemCollapsibleState,
    type Uri,
} from 'vscode';
import { uriOfConcept } from '#extension/projects/concept-files.ts';
import {
    type Concept,
    type ConceptRun,
    type Dashboard,
    type Project,
    type ProjectContents,
    type ProjectPlace,
    type Projects,
    placeOf,
} from '#extension/projects/projects.ts';
import { rowsText } from '#extension/projects/rows-text.ts';
import { durationText } from '#extension/surfaces/number-text.ts';
import { groupOf } from '#extension/surfaces/platform/saved-body.ts';
import { hasWords } from '#extension/surfaces/search-words.ts';
import { failedItem } from './failed-item.ts';

/** What a part of a concept lists. */
type Part = 'columns' | 'inputs' | 'parameters' | 'scripts' | 'runs';

type Column = Concept['columns'][number];

/** What stands in the tree of projects and their concepts. */
export type ConceptNode =
    | { readonly kind: 'project'; readonly project: Project; readonly isOpen: boolean }
    | { readonly kind: 'group'; readonly project: Project; readonly group: string }
    | { readonly kind: 'concept'; readonly project: Project; readonly concept: Concept; readonly last: ConceptRun | undefined }
    | { readonly kind: 'part'; readonly project: Project; readonly concept: Concept; readonly part: Part }
    | { readonly kind: 'dashboards'; readonly project: Project; readonly dashboards: readonly Dashboard[] }
    | { readonly kind: 'dashboard'; readonly project: Project; readonly dashboard: Dashboard }
    | { readonly kind: 'script'; readonly project: Project; readonly concept: Concept; readonly script: string }
    | {
          readonly kind: 'leaf';
          readonly id: string;
          readonly label: string;
          readonly description?: string;
          readonly icon: ThemeIcon;
          readonly tooltip?: string;
          readonly opens?: Uri;
      }
    | { readonly kind: 'failed'; readonly id: string; readonly reason: unknown };

const LISTED_RUNS = 10;
const { None, Collapsed, Expanded } = TreeItemCollapsibleState;

/** Projects, their groups and concepts, and what is known of each concept. */
export class ConceptTree implements TreeDataProvider<ConceptNode> {
    readonly #projects: Projects;
    readonly #changes = new EventEmitter<void>();
    readonly onDidChangeTreeData = this.#changes.event;
    #words: readonly string[] = [];

    constructor(projects: Projects, subscriptions: Disposable[]) {
        this.#projects = projects;
        subscriptions.push(
            this.#changes,
            projects.changed(() => this.#changes.fire()),
        );
    }

    /** Leaves only concepts and dashboards in sight that have all words in their names, or in what is said of them. */
    filter(words: readonly string[]): void {
        this.#words = words;
        this.#changes.fire();
    }

    /** How many concepts are in sight, of all. */
    async counts(): Promise<{ readonly shown: number; readonly all: number }> {
        const projects = (await this.#projects.list()).map(placeOf);
        const held = await Promise.all(
            projects.map(async place => ({ all: await this.#projects.contents(place), shown: await this.#inSight(place) })),
        );
        const count = (which: 'all' | 'shown'): number => held.reduce((sum, one) => sum + one[which].concepts.length, 0);
        return { all: count('all'), shown: count('shown') };
    }

    /** What the filter leaves of a project. */
    async #inSight(place: ProjectPlace): Promise<ProjectContents> {
        const contents = await this.#projects.contents(place);
        if (this.#words.length === 0) return contents;
        const has = (...texts: readonly string[]): boolean => hasWords(this.#words, ...texts);
        return {
            ...contents,
            concepts: contents.concepts.filter(one => has(one.concept_name, one.description, groupOf(one), kindOf(one))),
            dashboards: contents.dashboards.filter(({ name }) => has(name)),
        };
    }

    async getChildren(node?: ConceptNode): Promise<ConceptNode[]> {
        try {
            return await this.#childrenOf(node);
        } catch (reason) {
            return [{ kind: 'failed', id: node === undefined ? '' : idOf(node), reason }];
        }
    }

    async #childrenOf(node: ConceptNode | undefined): Promise<ConceptNode[]> {
        switch (node?.kind) {
            case undefined:
                return this.#projectNodes();
            case 'project': {
                const contents = await this.#inSight(placeOf(node.project));
                return [...conceptsIn(node.project, '', contents), ...dashboardsIn(node.project, contents)];
            }
            case 'dashboards':
                return node.dashboards.map(dashboard => ({ kind: 'dashboard', project: node.project, dashboard }));
            case 'group':
                return conceptsIn(node.project, node.group, await this.#inSight(placeOf(node.project)));
            case 'concept':
                return partsOf(node.project, node.concept, await this.#projects.contents(placeOf(node.project)));
            case 'part':
                return this.#entries(node, await this.#projects.contents(placeOf(node.project)));
            default:
                return [];
        }
    }

    async #projectNodes(): Promise<ConceptNode[]> {
        const projects = await this.#projects.list();
        if (this.#words.length === 0) return projects.map((project, _, { length }) => ({ kind: 'project', project, isOpen: length === 1 }));
        const held = await Promise.all(projects.map(project => this.#inSight(placeOf(project))));
        const isLeft = ({ concepts, dashboards }: ProjectContents): boolean => concepts.length + dashboards.length > 0;
        return projects.flatMap((project, i): ConceptNode[] => {
            const contents = held[i];
            return contents !== undefined && isLeft(contents) ? [{ kind: 'project', project, isOpen: true }] : [];
        });
    }

    getTreeItem(node: ConceptNode): TreeItem {
        const item = itemOf(node);
        item.id = idOf(node);
        if (this.#words.length > 0 && (node.kind === 'project' || node.kind === 'group')) {
            // What is open of all says nothing about what is left in sight.
            item.id = `${this.#words.join(' ')}/${item.id}`;
            item.collapsibleState = Expanded;
        }
        const opens = this.#opens(node);
        if (node.kind === 'dashboard') item.command = { command: 'rulelang.openDashboard', title: l10n.t('Open'), arguments: [node] };
        if (opens !== undefined) item.command = { command: 'vscode.open', title: l10n.t('Open'), arguments: [opens] };
        return item;
    }

    /** What stands in it is put together for the one item that is pointed at. */
    resolveTreeItem(item: TreeItem, node: ConceptNode): TreeItem {
        if (node.kind === 'concept') item.tooltip = tooltipOf(node.concept, node.last);
        return item;
    }

    #opens(node: ConceptNode): Uri | undefined {
        const connection = this.#projects.connection();
        if (connection === undefined) return undefined;
        if (node.kind === 'concept') return uriOfConcept(connection, node.concept);
        if (node.kind === 'script') return uriOfConcept(connection, node.concept, node.script);
        return node.kind === 'leaf' ? node.opens : undefined;
    }

    #entries({ project, concept, part }: Extract<ConceptNode, { kind: 'part' }>, { concepts, runs }: ProjectContents): ConceptNode[] {
        const within = `${project.scope}/${project.id}/${concept.concept_name}/${part}`;
        const leaf = (label: string, icon: string, more: { description?: string; tooltip?: string; opens?: Uri } = {}): ConceptNode => ({
            kind: 'leaf',
            id: `${within}/${label}`,
            label,
            icon: new ThemeIcon(icon),
            ...more,
        });
        const connection = this.#projects.connection();
        switch (part) {
            case 'columns':
                return concept.columns.map(column => leaf(column.name, 'symbol-field', columnLook(column)));
            case 'inputs':
                return concept.dependencies.map(name => {
                    const input = concepts.find(({ concept_name }) => concept_name === name);
                    if (input === undefined || connection === undefined) return leaf(name, 'question');
                    const described = [columnsText(input), rowsOf(input)].filter(text => text !== '').join(' · ');
                    return leaf(name, iconOf(input), { description: described, opens: uriOfConcept(connection, input) });
                });
            case 'parameters':
                return concept.params.map(({ name, default: usual }) =>
                    leaf(name, 'symbol-parameter', usual === null || usual === undefined ? {} : { description: JSON.stringify(usual) }),
                );
            case 'scripts':
                return Object.keys(concept.python_scripts).map(script => ({ kind: 'script', project, concept, script }));
            case 'runs':
                return runsOf(concept, runs)
                    .slice(0, LISTED_RUNS)
                    .map(run => runLeaf(`${within}/${run.started_at}`, run));
        }
    }
}

/** The concepts of a group, or those of none beside the groups. */
function conceptsIn(project: Project, group: string, { concepts, runs }: ProjectContents): ConceptNode[] {
    const last = new Map(runs.toReversed().map(run => [run.concept_name, run]));
    const groups = group === '' ? [...new Set(concepts.map(groupOf))].filter(name => name !== '').sort() : [];
    return [
        ...groups.map((name): ConceptNode => ({ kind: 'group', project, group: name })),
        ...concepts
            .filter(concept => groupOf(concept) === group)
            .map((concept): ConceptNode => ({ kind: 'concept', project, concept, last: last.get(concept.concept_name) })),
    ];
}

function dashboardsIn(project: Project, { dashboards }: ProjectContents): ConceptNode[] {
    return dashboards.length === 0 ? [] : [{ kind: 'dashboards', project, dashboards }];
}

function runsOf({ concept_name }: Concept, runs: readonly ConceptRun[]): readonly ConceptRun[] {
    return runs.filter(run => run.concept_name === concept_name);
}

function partsOf(project: Project, concept: Concept, { runs }: ProjectContents): ConceptNode[] {
    const counts: Readonly<Record<Part, number>> = {
        columns: concept.columns.length,
        inputs: concept.dependencies.length,
        parameters: concept.params.length,
        scripts: Object.keys(concept.python_scripts).length,
        runs: runsOf(concept, runs).length,
    };
    const parts = Object.entries(counts) as [Part, number][];
    return parts.filter(([, count]) => count > 0).map(([part]) => ({ kind: 'part', project, concept, part }));
}

/** What tells a node from all others, whenever the tree was listed. */
export function idOf(node: ConceptNode): string {
    switch (node.kind) {
        case 'project':
            return `${node.project.scope}/${node.project.id}`;
        case 'group':
            return `${node.project.scope}/${node.project.id}/group/${node.group}`;
        case 'concept':
            return `${node.project.scope}/${node.project.id}/${node.concept.concept_name}`;
        case 'part':
            return `${node.project.scope}/${node.project.id}/${node.concept.concept_name}/${node.part}`;
        case 'dashboards':
            return `${node.project.scope}/${node.project.id}/dashboards`;
        case 'dashboard':
            return `${node.project.scope}/${node.project.id}/dashboards/${node.dashboard.id}`;
        case 'script':
            return `${node.project.scope}/${node.project.id}/${node.concept.concept_name}/scripts/${node.script}`;
        case 'leaf':
            return node.id;
        case 'failed':
            return `${node.id}/failed`;
    }
}

function itemOf(node: ConceptNode): TreeItem {
    switch (node.kind) {
        case 'project': {
            const { name, scope, description } = node.project;
            const item = new TreeItem(name, node.isOpen ? Expanded : Collapsed);
            item.iconPath = new ThemeIcon('project');
            item.contextValue = 'project';
            if (scope === 'organization') item.description = l10n.t('organization');
            if (description !== '') item.tooltip = description;
            return item;
        }
        case 'group': {
            const item = new TreeItem(node.group, Expanded);
            item.iconPath = ThemeIcon.Folder;
            item.contextValue = 'group';
            return item;
        }
        case 'concept':
            return conceptItem(node.concept, node.last);
        case 'part': {
            const item = new TreeItem(titleOf(node.part), node.part === 'columns' ? Expanded : Collapsed);
            item.contextValue = `part.${node.part}`;
            return item;
        }
        case 'dashboards': {
            const item = new TreeItem(l10n.t('Dashboards'), Expanded);
            item.contextValue = 'dashboards';
            return item;
        }
        case 'dashboard': {
            const item = new TreeItem(node.dashboard.name, None);
            item.iconPath = new ThemeIcon('dashboard');
            item.contextValue = 'dashboard';
            return item;
        }
        case 'script': {
            const item = new TreeItem(`${node.script}.py`, None);
            item.iconPath = new ThemeIcon('file-code');
            item.contextValue = 'script';
            return item;
        }
        case 'leaf': {
            const item = new TreeItem(node.label, None);
            item.iconPath = node.icon;
            if (node.description !== undefined) item.description = node.description;
            if (node.tooltip !== undefined) item.tooltip = node.tooltip;
            return item;
        }
        case 'failed':
            return failedItem(node.reason);
    }
}

function conceptItem(concept: Concept, last: ConceptRun | undefined): TreeItem {
    const { concept_name, is_stale } = concept;
    const hasFailed = failureOf(last) !== undefined;
    const item = new TreeItem(concept_name, Collapsed);
    item.iconPath = hasFailed ? new ThemeIcon('error', new ThemeColor('list.errorForeground')) : new ThemeIcon(iconOf(concept));
    item.contextValue = `concept.${kindOf(concept)}`;
    const states = [rowsOf(concept), ...(is_stale ? [l10n.t('stale')] : []), ...(hasFailed ? [l10n.t('failed')] : [])];
    item.description = states.filter(text => text !== '').join(' · ');
    item.accessibilityInformation = { label: [concept_name, kindWord(concept), item.description].filter(Boolean).join(', ') };
    return item;
}

function tooltipOf(concept: Concept, last: ConceptRun | undefined): MarkdownString {
    const { concept_name, description, is_stale } = concept;
    const tooltip = new MarkdownString().appendMarkdown(`**${concept_name}** (${kindWord(concept)})`);
    if (description !== '') tooltip.appendMarkdown('\n\n').appendText(description);
    if (concept.columns.length > 0) tooltip.appendMarkdown('\n\n').appendText(columnsText(concept));
    if (is_stale) tooltip.appendMarkdown('\n\n').appendText(l10n.t('The definition has changed since its rows were stored.'));
    const failure = failureOf(last);
    if (failure !== undefined) tooltip.appendMarkdown('\n\n').appendText(failure);
    return tooltip;
}

function failureOf(last: ConceptRun | undefined): string | undefined {
    return last === undefined || last.state === 'stopped' ? undefined : last.error?.message;
}

/** A rule that calls scripts is a Python concept. */
function kindOf({ concept_type, python_scripts }: Concept): 'logic' | 'sql' | 'python' {
    if (concept_type === 'sql') return 'sql';
    return Object.keys(python_scripts).length > 0 ? 'python' : 'logic';
}

function kindWord(concept: Concept): string {
    return { logic: l10n.t('rules'), sql: 'SQL', python: l10n.t('Python') }[kindOf(concept)];
}

function iconOf(concept: Concept): string {
    return { logic: 'symbol-class', sql: 'table', python: 'symbol-method' }[kindOf(concept)];
}

/** `(owner: string, share: double)`; a type that is not known is left out. */
function columnsText({ columns }: Concept): string {
    return columns.length === 0 ? '' : `(${columns.map(columnText).join(', ')})`;
}

function columnText(column: Column): string {
    const type = typeText(column);
    return type === undefined ? column.name : `${column.name}: ${type}`;
}

function columnLook(column: Column): { readonly description?: string; readonly tooltip?: string } {
    const type = typeText(column);
    return type === undefined ? { tooltip: l10n.t('The type is known once rows are stored.') } : { description: type };
}

function typeText({ type }: Column): string | undefined {
    return type === 'UNKNOWN' ? undefined : type.toLowerCase();
}

function rowsOf({ is_populated, row_count }: Concept): string {
    return is_populated ? rowsText(row_count) : '';
}

function titleOf(part: Part): string {
    switch (part) {
        case 'columns':
            return l10n.t('Columns');
        case 'inputs':
            return l10n.t('Inputs');
        case 'parameters':
            return l10n.t('Parameters');
        case 'scripts':
            return l10n.t('Scripts');
        case 'runs':
            return l10n.t('Last runs');
    }
}

function runLeaf(id: string, { state, started_at, execution_time, row_count, error }: ConceptRun): ConceptNode {
    const took = durationText(execution_time * 1000);
    const icons = { succeeded: 'pass', failed: 'error', stopped: 'circle-slash', timed_out: 'clock' } as const;
    return {
        kind: 'leaf',
        id,
        label: new Date(started_at).toLocaleString(),
        description: row_count === null ? took : `${rowsText(row_count)} · ${took}`,
        icon: new ThemeIcon(icons[state]),
        ...(error !== null && { tooltip: error.message }),
    };
}
