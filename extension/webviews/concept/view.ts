import { rowsWrittenText } from '#extension/surfaces/count-words.ts';
import { element } from '#extension/surfaces/dom.ts';
import type { Given } from '#extension/surfaces/given.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { createParameterForm, type ParameterForm } from '#extension/surfaces/parameter-form.ts';
import { type ConceptSurface, type ConceptTab, conceptSurface } from '#extension/surfaces/platform/concept-surface.ts';
import { failureSurface } from '#extension/surfaces/platform/failure.ts';
import { followRun } from '#extension/surfaces/platform/follow-run.ts';
import { stateSurface } from '#extension/surfaces/state-surface.ts';
import { jsonOf } from '#server/protocol/json-text.ts';
import { EXPORT_FORMAT_NAMES } from '#server/protocol/result-formats.ts';
import { linkToHost } from '../link-to-host.ts';
import { relayedClient } from '../relayed-client.ts';
import { CONCEPT, type HostMessage, RELAYED } from './messages.ts';

const LISTED_RUNS = 200;

type Shown = Extract<HostMessage, { readonly kind: 'show' }>;

const link = linkToHost(CONCEPT);
const { client, take } = relayedClient(RELAYED, link.send);
const main = element('main', { class: 'main' });
const bar = element('div', { class: 'loading-bar', role: 'progressbar', 'aria-label': l10n.t('Running'), hidden: true });
const notice = element('div', { class: 'run-notice', role: 'status' });
const progress = element('p', { class: 'run-progress', hidden: true });
const live = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });
const form: ParameterForm = createParameterForm({
    run: values => link.send({ kind: 'run', values }),
    stop: () => link.send({ kind: 'stop' }),
});
document.body.append(form.root, bar, element('div', { class: 'run-notice' }, progress), notice, main, live);

let shown: Shown | undefined;
let tab: ConceptTab = 'rows';
let surface: ConceptSurface | undefined;
/** Counts what was asked for, so that a late answer to something else is not shown. */
let turn = 0;
/** The state of the concept when it was drawn. */
let drawnState = '';
let unfollow = (): void => undefined;

document.addEventListener('keydown', event => {
    if (event.target instanceof HTMLInputElement || surface?.key(event) !== true) return;
    event.preventDefault();
});

link.listen(message => {
    switch (message.kind) {
        case 'answer':
        case 'refused':
            take(message);
            break;
        case 'show':
            shown = message;
            document.title = message.concept;
            form.show(message.parameters, message.mayRun);
            void draw();
            break;
        case 'refresh':
            void draw(true);
            break;
        case 'running':
            bar.hidden = false;
            notice.replaceChildren();
            form.running(true);
            live.textContent = l10n.t('Running');
            follow();
            void draw(true);
            break;
        case 'exported':
            live.textContent = rowsWrittenText(message.rows);
            break;
        case 'ended':
            unfollow();
            progress.hidden = true;
            bar.hidden = true;
            form.running(false);
            notice.replaceChildren(
                ...(message.error === undefined ? [] : [element('p', { class: 'run-error' }, message.error)]),
                ...message.warnings.map(warning => element('p', {}, warning)),
            );
            if (message.error === undefined) tab = 'rows';
            void draw();
            break;
    }
});

/** Tells how far the run is that goes on. */
function follow(): void {
    unfollow();
    if (shown === undefined) return;
    unfollow = followRun(client, shown, text => {
        progress.textContent = text;
        progress.hidden = false;
    });
}

/** Draws the concept. With `ifOther`, an unchanged one stays with everything that the user has opened in it. */
async function draw(ifOther = false): Promise<void> {
    const now = shown;
    if (now === undefined) return;
    const mine = ++turn;
    const { scope, project, concept: name } = now;
    const call = { path: { project_id: project }, query: { scope } };
    try {
        const [concepts, runs, running] = await Promise.all([
            client.listConcepts(call),
            client.listRuns({ ...call, query: { scope, limit: LISTED_RUNS } }),
            client.listRunning({}),
        ]);
        const concept = concepts.find(({ concept_name }) => concept_name === name);
        if (mine !== turn) return;
        if (concept === undefined) {
            const text = l10n.t('It was deleted or renamed meanwhile.');
            main.replaceChildren(stateSurface({ picture: 'empty', title: l10n.t('There is no concept {0}', name), text }));
            return;
        }
        const own = runs.filter(({ concept_name }) => concept_name === name);
        const isOf = ({ concept: of }: (typeof running)[number]): boolean => of?.project_id === project && of.concept_name === name;
        const ownRunning = running.filter(isOf);
        // Beside rows nothing says that it runs: what is opened of them stays.
        const state = jsonOf([concept, own, concept.is_populated ? 0 : ownRunning.length]);
        if (ifOther && state === drawnState) return;
        const drawn = await conceptSurface(
            client,
            {
                place: { scope, project, concept: name },
                concept,
                tab,
                line: undefined,
                runs: own,
                running: ownRunning,
            },
            {
                busy: isBusy => main.toggleAttribute('aria-busy', isBusy),
                failed: showFailure,
                announce: text => {
                    live.textContent = text;
                },
                reveal: (concept, line) => link.send({ kind: 'reveal', concept, ...(line !== undefined && { line }) }),
                replaced: () => void draw(),
                opened: chosen => {
                    tab = chosen;
                },
                savePicture: picture => link.send({ kind: 'picture', ...picture }),
                choose: concept => link.send({ kind: 'open', concept }),
                exports: { formats: EXPORT_FORMAT_NAMES, write: (view, format) => link.send({ kind: 'export', view, format }) },
                ...(now.mayRun && { ask: (given: Given) => link.send({ kind: 'give', ...given }) }),
            },
        );
        if (mine !== turn) return;
        drawnState = state;
        surface = drawn;
        main.replaceChildren(drawn.root);
    } catch (reason) {
        if (mine === turn) showFailure(reason);
    }
}

function showFailure(reason: unknown): void {
    main.replaceChildren(failureSurface(reason, () => void draw()));
}
