import type { Given } from '#extension/surfaces/given.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { keptDraft } from '#extension/surfaces/platform/concept-drafts.ts';
import { type ConceptTab, conceptSurface } from '#extension/surfaces/platform/concept-surface.ts';
import type { RowsExports } from '#extension/surfaces/platform/rows-surface.ts';
import type { Concept } from '#extension/surfaces/platform/saved-body.ts';
import type { ConceptPlace } from '#extension/surfaces/platform/stored-rows.ts';
import { askAgent } from './agent-section.ts';
import { conceptActions } from './concept-actions.ts';
import { createDefinitionEditor, type DefinitionEditor } from './definition-editor.ts';
import { importDropped } from './import-files.ts';
import { offerProjectActions } from './project-actions.ts';
import { type ProjectContents, type ProjectEditing, projectSurface } from './project-surface.ts';
import { createRowExports, PAGE_FORMATS } from './row-exports.ts';
import { runBarOf } from './run-bar.ts';
import { savePicture } from './saved-file.ts';
import type { MountedSurface, PageHost, ServicesHost } from './section.ts';

/** Runs that are listed of a project, and those that are searched for the ones of a concept. */
const LISTED_RUNS = 15;
const ALL_RUNS = 200;

/** What is shown of which concept. */
const shown: { concept: string | undefined; tab: ConceptTab; line: number | undefined } = {
    concept: undefined,
    tab: 'rows',
    line: undefined,
};

/** The concept whose definition is being changed: it stays in the page as it is while other things are read anew. */
interface EditedConcept {
    readonly key: string;
    readonly client: PageHost['client'];
    readonly mounted: MountedSurface;
    readonly editor: DefinitionEditor;
    /** What else is shown of it may be older than what is known by now. */
    isOld: boolean;
}

let edited: EditedConcept | undefined;

/** Exports go on while other things are looked at. */
const exporting = createRowExports();

/** Opens the definition of a concept from another section. */
export function openDefinition(host: ServicesHost, concept: string): void {
    Object.assign(shown, { concept, tab: 'definition', line: undefined });
    host.goTo('concepts', concept);
}

/** The concepts of a project, or one of them. */
export async function openConcepts(host: PageHost): Promise<MountedSurface> {
    const { client, project, scope, item } = host;
    edited?.editor.keep();
    if (shown.concept !== item) Object.assign(shown, { concept: item, tab: 'rows', line: undefined });
    const call = { path: { project_id: project.id }, query: { scope } } as const;
    const limit = item === undefined ? LISTED_RUNS : ALL_RUNS;
    const [concepts, dashboards, runs] = await Promise.all([
        client.listConcepts(call),
        client.listDashboards(call),
        client.listRuns({ ...call, query: { scope, limit } }),
    ]);
    const concept = concepts.find(({ concept_name }) => concept_name === item);
    if (concept === undefined) return openProject(host, { concepts, dashboards, runs, running: host.running });
    const name = concept.concept_name;
    const place = { scope, project: project.id, concept: name };
    const mine = runs.filter(run => run.concept_name === name);
    const running = host.running.filter(one => one.concept?.concept_name === name);
    const bar = host.mayChange ? runBarOf(place) : undefined;
    bar?.show(concept, { client, announce: host.announce, save: saveEdited, ended: host.refresh });
    const key = JSON.stringify(place);
    if (edited?.key === key && edited.client === client && host.mayChange && shown.tab === 'definition') {
        edited.editor.show(concept, concepts);
        edited.isOld = true;
        if (shown.line !== undefined) edited.editor.reveal(shown.line);
        return edited.mounted;
    }
    let editor: DefinitionEditor | undefined;
    const edit = (_: Concept, line: number | undefined): HTMLElement => {
        editor ??= createDefinitionEditor(place, concept, concepts, {
            client,
            announce: host.announce,
            openConcept: other => reveal(host, other, 'definition'),
            saved: host.refresh,
        });
        if (line !== undefined) editor.reveal(line);
        if (edited?.editor !== editor) edited = { key, client, mounted, editor, isOld: false };
        return editor.root;
    };
    const mounted: { -readonly [K in keyof MountedSurface]: MountedSurface[K] } = {
        root: document.body,
        above: bar?.root,
        item: name,
        close() {
            editor?.close();
            if (edited?.editor === editor) edited = undefined;
        },
    };
    const surface = await conceptSurface(
        client,
        { place, concept, tab: shown.tab, line: shown.line, runs: mine, running },
        {
            busy: host.busy,
            failed: host.failed,
            announce: host.announce,
            reveal: (other, line) => reveal(host, other, line === undefined ? 'rows' : 'definition', line),
            replaced() {
                host.announce(l10n.t('The concept was run again; these are its new rows'));
                host.refresh();
            },
            opened(tab) {
                Object.assign(shown, { tab, line: undefined });
                // The rows of a concept tell themselves when others have taken their place.
                mounted.followsRuns = tab !== 'runs';
                if (tab !== 'definition' && edited?.mounted === mounted && edited.isOld) host.refresh();
            },
            choose: host.go,
            savePicture,
            exports: exportsOf(host, place),
            ...(host.mayChange && { ask: ({ about, title, text }: Given) => void askAgent(host, { kind: about, title, text }), edit }),
        },
    );
    mounted.root = surface.root;
    mounted.key = event => {
        if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || shown.tab !== 'definition' || editor === undefined)
            return surface.key(event);
        void editor.save();
        return true;
    };
    return mounted;
}

/** Shows the concepts of a project. */
function openProject(host: PageHost, contents: ProjectContents): MountedSurface {
    const { project, scope } = host;
    const actions = conceptActions(host, contents.concepts, name => {
        Object.assign(shown, { concept: name, tab: 'definition', line: undefined });
        host.go(name);
    });
    const editing: ProjectEditing = {
        concepts: actions,
        offer: button => offerProjectActions(button, host),
        isChanged: ({ concept_name: name }) => keptDraft({ scope, project: project.id, concept: name }) !== undefined,
    };
    const root = projectSurface(
        project,
        contents,
        name => host.go(name),
        id => host.goTo('dashboards', id),
        host.mayChange ? editing : undefined,
    );
    if (host.mayChange) importDropped(root, host);
    return {
        root,
        key(event) {
            if (event.key !== 'z' || !(event.ctrlKey || event.metaKey) || actions.deleted === undefined) return false;
            actions.undo();
            return true;
        },
    };
}

/** Saves the definition that is edited, if there is one. */
async function saveEdited(): Promise<boolean> {
    return (await edited?.editor.save()) ?? true;
}

function exportsOf({ client, announce }: PageHost, place: ConceptPlace): RowsExports {
    return {
        formats: PAGE_FORMATS,
        write: (view, format) => exporting.begin(client, { place, view, format }, announce),
        progress: exporting.root,
    };
}

function reveal(host: PageHost, other: string, tab: ConceptTab, line?: number): void {
    Object.assign(shown, { concept: other, tab, line });
    host.go(other);
}
