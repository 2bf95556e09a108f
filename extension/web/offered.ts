import { VIEWS_IN_BROWSER } from '#extension/views/explorer-views.ts';

/** The commands that there are where no machine stands behind the editor; all others need processes, services or databases. */
export const OFFERED: readonly string[] = [
    ...[
        'runProgram',
        'runPredicate',
        'runWithParameters',
        'runSelection',
        'showRows',
        'stop',
        'runProfiled',
        'toggleLive',
        'readSourcesAgain',
    ],
    ...['explainRow', 'explainPredicate', 'whyNot', 'explainProblem', 'whatIfWithout', 'whatIfOtherwise'],
    ...['copyCells', 'copyCellsWithHeader', 'copyCellsAsMarkdown', 'copyRowsAsFacts', 'showCell', 'filterByCell', 'showOutputBeside'],
    ...['showDependencyGraph', 'showPredicateInGraph', 'saveGraph', 'searchByStructure'],
    ...['showPlan', 'showPlannedRules', 'showColumns', 'goToPredicate', 'filterProgram', 'clearProgramFilter'],
    ...['newSampleProgram', 'showOutput', 'restartServer'],
];

/** An editor in a browser may have a machine behind it all the same, which then runs the extension. */
const BROWSER = 'isWeb && !remoteName';
const MACHINE = '(!isWeb || remoteName)';
/** The condition for programs that are files; in a browser they are wherever the workspace is. */
const ON_DISK = 'resourceScheme =~ /^(file|untitled)$/';

interface Conditional {
    readonly when?: string;
    readonly [field: string]: unknown;
}

interface Contributions {
    readonly commands: readonly { readonly command: string }[];
    readonly menus: Readonly<Record<string, readonly (Conditional & { readonly command: string })[]>>;
    readonly keybindings: readonly (Conditional & { readonly command: string })[];
    readonly views: Readonly<Record<string, readonly (Conditional & { readonly id: string })[]>>;
    readonly breakpoints: readonly Conditional[];
    readonly debuggers: readonly Conditional[];
    readonly chatParticipants: readonly Conditional[];
    readonly walkthroughs: readonly Conditional[];
}

/** Returns the manifest's contributions, with conditions for those that some editors lack. */
export function offeredWhereItIs<C extends Contributions>(contributes: C): C {
    const { commands, menus, keybindings, views, breakpoints, debuggers, chatParticipants, walkthroughs } = contributes;
    const { commandPalette = [] } = menus;
    const inPalette = new Set(commandPalette.map(({ command }) => command));
    const others = commands.flatMap(({ command }) => (inPalette.has(command) || isOffered(command) ? [] : [{ command, when: MACHINE }]));
    const all = { ...menus, commandPalette: [...commandPalette, ...others] };
    return {
        ...contributes,
        menus: Object.fromEntries(Object.entries(all).map(([name, items]) => [name, items.map(whereCommandIs)])),
        keybindings: keybindings.map(whereCommandIs),
        views: Object.fromEntries(
            Object.entries(views).map(([name, some]) => [
                name,
                some.map(view => (VIEWS_IN_BROWSER.includes(view.id) ? view : onMachine(view))),
            ]),
        ),
        breakpoints: breakpoints.map(onMachine),
        debuggers: debuggers.map(onMachine),
        chatParticipants: chatParticipants.map(onMachine),
        walkthroughs: walkthroughs.map(onMachine),
    };
}

function isOffered(command: string): boolean {
    return OFFERED.includes(command.replace('rulelang.', ''));
}

function whereCommandIs<T extends Conditional & { readonly command: string }>(item: T): T {
    if (!isOffered(item.command)) return onMachine(item);
    return item.when === undefined ? item : { ...item, when: item.when.replace(ON_DISK, `(${ON_DISK} || ${BROWSER})`) };
}

function onMachine<T extends Conditional>(item: T): T {
    const { when } = item;
    if (when === undefined || when === MACHINE) return { ...item, when: MACHINE };
    return { ...item, when: when.includes('||') ? `(${when}) && ${MACHINE}` : `${when} && ${MACHINE}` };
}
