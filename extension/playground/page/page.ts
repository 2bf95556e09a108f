import { openAskSheet } from '#extension/page/ask-sheet.ts';
import { takeDropped } from '#extension/page/dropped-files.ts';
import { chooseFiles } from '#extension/page/saved-file.ts';
import { element } from '#extension/surfaces/dom.ts';
import { l10n } from '#extension/surfaces/l10n.ts';
import { createSplit } from '#extension/surfaces/split.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import { createFirstSteps } from './first-steps.ts';
import { createGraphHost, type GraphHost } from './graph-host.ts';
import { keepProgram, keptProgram, type WholeProgram } from './kept-program.ts';
import { openPageKeys } from './keys-sheet.ts';
import { keepOffline } from './offline.ts';
import { Playground } from './playground.ts';
import { createPlaygroundBar } from './playground-bar.ts';
import { listSamples, type Sample, sampleFiles } from './samples.ts';
import { fragmentOf, LONGEST_LINK, sharedIn } from './shared-link.ts';
import { createViewTabs } from './view-tabs.ts';

const ENDINGS = ['.rulelang', '.csv', '.json', '.ndjson', '.txt', '.xlsx', '.parquet', '.gz', '.zst'] as const;
/** Endings of files that a page cannot read. */
const BEYOND = /\.(?:db|sqlite3?|pdf|docx?)$/iu;
const EMPTY = '/program.rulelang';
const SAMPLE = '#sample=';

let samples: readonly Sample[] = [];
let graph: GraphHost | undefined;
/** Counts the programs that were opened, so that a sample that comes late takes the place of none. */
let turn = 0;

const failed = (reason: unknown): void => bar.announce(reason instanceof Error ? reason.message : String(reason));
const steps = createFirstSteps();
const playground = new Playground({
    announce: text => bar.announce(text),
    failed,
    running: isRunning => bar.running(isRunning),
    reached: steps.done,
    programChanged: () => graph?.update(),
    pressed,
});
const bar = createPlaygroundBar({
    sample: sample => void openSample(sample).catch(failed),
    empty: () => void openEmpty().catch(failed),
    openFiles: () => chooseFiles(ENDINGS, files => void take(files).catch(failed)),
    share: () => void share().catch(failed),
    keys: button => openPageKeys(() => button.focus()),
    run: () => void playground.run(),
    stop: () => playground.stop(),
});
const views = createViewTabs([
    { label: l10n.t('Rows'), open: () => playground.results },
    { label: l10n.t('Dependencies'), open: openGraph },
]);
const split = createSplit(playground.text, views.root, 0.55, () => undefined, l10n.t('Size of the rows'));
document.body.append(bar.root, steps.root, element('main', { class: 'playground' }, split.root));
takeDropped(document.body, files => void take(files).catch(failed));
// Before the editor, which has a use of its own for some of these keys.
document.addEventListener('keydown', pressed, true);
window.addEventListener('hashchange', () => void arrive().catch(failed));
window.addEventListener('pagehide', () => keepProgram(location.hash, playground.whole()));
void arrive(keptProgram(location.hash)).catch(failed);
void keepOffline();

function openGraph(): GraphHost {
    graph = createGraphHost(playground.language, {
        program: () => playground.name,
        open: place => playground.openAt(place.file, place),
        pressed,
        failed,
    });
    return graph;
}

/** Opens the kept program, or else the one that the address names: a shared program, a sample, and otherwise the first sample. */
async function arrive(kept?: WholeProgram): Promise<void> {
    const { hash } = location;
    const shared = kept === undefined ? await sharedIn(hash).catch(() => null) : undefined;
    if (samples.length === 0) samples = await listSamples();
    bar.offer(samples);
    const [first] = samples;
    const sample = samples.find(({ name }) => hash === `${SAMPLE}${name}`) ?? first;
    const given = kept ?? (shared ? { program: shared.program, files: Object.entries(shared.files) } : undefined);
    if (given !== undefined) await open(given, hash === `${SAMPLE}${first?.name}`);
    else if (sample !== undefined) await openSample(sample);
    if (shared === null) tell(l10n.t('The link cannot be read: a part of it may be missing.'));
}

async function open(program: Parameters<typeof playground.open>[0], isFirst: boolean): Promise<void> {
    turn++;
    bar.announce('');
    steps.show(isFirst);
    await playground.open(program);
    graph?.renew();
    document.title = l10n.t('{0}: Rulelang playground', visible(playground.name));
}

async function openSample(sample: Sample): Promise<void> {
    const mine = ++turn;
    const files = await sampleFiles(sample);
    if (mine !== turn) return;
    await open({ program: sample.program, files }, sample === samples[0]);
    history.replaceState(null, '', `${SAMPLE}${sample.name}`);
}

async function openEmpty(): Promise<void> {
    await open({ program: EMPTY, files: [[EMPTY, '']] }, false);
    history.replaceState(null, '', location.pathname);
    playground.focus();
}

/** Takes files of the reader, which go nowhere from here. */
async function take(files: readonly File[]): Promise<void> {
    const beyond = files.filter(({ name }) => BEYOND.test(name));
    const taken = files.filter(file => !beyond.includes(file));
    const read = taken.map(async file => [`/${file.name}`, new Uint8Array(await file.arrayBuffer())] as const);
    if (read.length > 0) await playground.add(await Promise.all(read));
    if (beyond.length > 0)
        tell(
            l10n.t(
                'A page in a browser cannot read {0}. Give the rows as CSV or JSON, or run the program on the command line or in an editor.',
                beyond.map(({ name }) => `'${visible(name)}'`).join(', '),
            ),
        );
}

function tell(text: string): void {
    openAskSheet({ title: l10n.t('Rulelang playground'), text, label: l10n.t('Close'), act: async () => undefined });
}

/** Puts all of the program into the address, and that where it can be handed on from. */
async function share(): Promise<void> {
    const all = playground.texts();
    const whole = await fragmentOf(all);
    const isTooLong = whole.length > LONGEST_LINK;
    const programs = Object.entries(all.files).filter(([path]) => path.endsWith('.rulelang'));
    const fragment = isTooLong ? await fragmentOf({ ...all, files: Object.fromEntries(programs) }) : whole;
    history.replaceState(null, '', fragment);
    await navigator.clipboard.writeText(location.href).catch(() => undefined);
    bar.announce(
        isTooLong
            ? l10n.t('The link is copied. It has the programs without their data, which is too long for a link.')
            : l10n.t('The link is copied.'),
    );
}

function pressed(event: KeyboardEvent): void {
    if (document.querySelector('dialog[open], .sheet') !== null) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void playground.run();
    else if (event.key === 'F6') views.hasFocus() ? playground.focus() : views.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
}
