import { EventEmitter, l10n, ThemeIcon, type TreeDataProvider, TreeItem, TreeItemCollapsibleState, type Uri } from 'vscode';
import type { PredicateTarget } from '#extension/commands/target.ts';
import { rowsText } from '#extension/projects/rows-text.ts';
import { countText } from '#extension/surfaces/number-text.ts';
import { hasWords } from '#extension/surfaces/search-words.ts';
import { visible } from '#extension/surfaces/visible-text.ts';
import type { OutlinePredicate, ProgramOutline } from '#server/protocol/graphs.ts';
import { failedItem } from './failed-item.ts';

/** What stands in the tree of a program. */
export type ProgramNode =
    | { readonly kind: 'stratum'; readonly stratum: number; readonly predicates: readonly PredicateNode[] }
    /** Neighbours in a stratum of so many that listing them all takes long. */
    | { readonly kind: 'range'; readonly predicates: readonly PredicateNode[] }
    | PredicateNode
    | ({ readonly kind: 'need'; readonly about: OutlinePredicate; readonly need: Need; readonly of: OutlinePredicate } & PredicateTarget)
    | { readonly kind: 'failed'; readonly reason: unknown };

type PredicateNode = { readonly kind: 'predicate'; readonly about: OutlinePredicate } & PredicateTarget;
type Need = OutlinePredicate['needs'][number];

/** What is known of the program that is looked at. */
export type ShownProgram =
    | { readonly kind: 'outline'; readonly document: Uri; readonly outline: ProgramOutline }
    | { readonly kind: 'failed'; readonly reason: unknown };

/** A program of more predicates begins with its strata closed. */
const MANY = 300;
/** What is listed at once: a stratum of more is divided. */
const AT_ONCE = 200;
const { None, Collapsed, Expanded } = TreeItemCollapsibleState;

/** The predicates of a program by stratum, and below each what it needs. */
export class ProgramTree implements TreeDataProvider<ProgramNode> {
    readonly #changes = new EventEmitter<void>();
    readonly onDidChangeTreeData = this.#changes.event;
    #shown: ShownProgram | undefined;
    #words: readonly string[] = [];
    /** What a filter looks through, for each predicate; made when there is one. */
    #searched: readonly string[] | undefined;
    #passing: readonly OutlinePredicate[] = [];

    /** Draws the tree anew where it would be another. */
    show(shown: ShownProgram | undefined): void {
        const before = this.#shown;
        this.#shown = shown;
        if (isSame(before, shown)) return;
        this.#searched = undefined;
        this.#draw();
    }

    /** Leaves only predicates in sight that have all words in their name or in what they are. */
    filter(words: readonly string[]): void {
        this.#words = words;
        this.#draw();
    }

    #draw(): void {
        this.#passing = this.#passingOf(this.#outline?.predicates ?? []);
        this.#changes.fire();
    }

    /** How many predicates are in sight. */
    get count(): number {
        return this.#passing.length;
    }

    getChildren(node?: ProgramNode): ProgramNode[] {
        switch (node?.kind) {
            case undefined:
                return this.#shown?.kind === 'failed' ? [this.#shown] : this.#strata();
            case 'stratum':
                return divided(node.predicates);
            case 'range':
                return [...node.predicates];
            case 'predicate':
                return this.#needs(node.document, node.about);
            default:
                return [];
        }
    }

    getTreeItem(node: ProgramNode): TreeItem {
        switch (node.kind) {
            case 'stratum': {
                const isFiltered = this.#words.length > 0;
                const isLarge = (this.#outline?.predicates.length ?? 0) > MANY;
                const item = new TreeItem(l10n.t('Stratum {0}', node.stratum), isFiltered || !isLarge ? Expanded : Collapsed);
                // What is open of one program says nothing about another, nor about what a filter leaves of it.
                item.id = `${isFiltered ? 'filtered ' : ''}${node.stratum} ${this.#shown?.kind === 'outline' ? this.#shown.document : ''}`;
                item.description = countText(node.predicates.length);
                item.iconPath = new ThemeIcon('layers');
                item.contextValue = 'stratum';
                item.tooltip = l10n.t('Predicates that are complete before those of the next stratum begin.');
                return item;
            }
            case 'range': {
                const [first, last] = [node.predicates[0], node.predicates.at(-1)];
                const item = new TreeItem([first, last].map(end => end && nameOf(end.about)).join(' … '), Collapsed);
                item.id = `from ${first && nameOf(first.about)}`;
                item.description = countText(node.predicates.length);
                item.iconPath = new ThemeIcon('list-tree');
                item.contextValue = 'range';
                return item;
            }
            case 'predicate':
                return this.#predicateItem(node);
            case 'need':
                return this.#needItem(node);
            case 'failed':
                return failedItem(node.reason);
        }
    }

    get #outline(): ProgramOutline | undefined {
        return this.#shown?.kind === 'outline' ? this.#shown.outline : undefined;
    }

    #passingOf(predicates: readonly OutlinePredicate[]): readonly OutlinePredicate[] {
        if (this.#words.length === 0) return predicates;
        this.#searched ??= predicates.map(predicate => [nameOf(predicate), ...marksOf(predicate)].join(' '));
        const searched = this.#searched;
        return predicates.filter((_, at) => hasWords(this.#words, searched[at] ?? ''));
    }

    #strata(): ProgramNode[] {
        if (this.#shown?.kind !== 'outline') return [];
        const { document } = this.#shown;
        const strata = new Map<number, PredicateNode[]>();
        for (const about of this.#passing) {
            const node: PredicateNode = { kind: 'predicate', document, predicate: about.name, arity: about.arity, about };
            const beside = strata.get(about.stratum);
            if (beside === undefined) strata.set(about.stratum, [node]);
            else beside.push(node);
        }
        return Array.from(strata, ([stratum, predicates]) => ({ kind: 'stratum', stratum, predicates }));
    }

    #needs(document: Uri, of: OutlinePredicate): ProgramNode[] {
        return of.needs.flatMap((need): ProgramNode[] => {
            const about = this.#outline?.predicates[need.predicate];
            return about === undefined ? [] : [{ kind: 'need', document, predicate: about.name, arity: about.arity, about, need, of }];
        });
    }

    #predicateItem(node: Extract<ProgramNode, { kind: 'predicate' }>): TreeItem {
        const { about } = node;
        const item = new TreeItem(nameOf(about), about.needs.length === 0 ? None : Collapsed);
        item.id = nameOf(about);
        return this.#described(item, node, [...marksOf(about), ...this.#rows(about)], iconOf(about));
    }

    #needItem(node: Extract<ProgramNode, { kind: 'need' }>): TreeItem {
        const { about, need, of } = node;
        const name = nameOf(about);
        const item = new TreeItem(need.kind === 'negated' ? l10n.t('not {0}', name) : name, None);
        item.id = `${nameOf(of)} ${need.kind} ${name}`;
        const how = [need.kind === 'aggregated' ? l10n.t('aggregated') : '', need.recursive ? l10n.t('recursive') : ''];
        const icon = { positive: 'arrow-small-left', negated: 'circle-slash', aggregated: 'symbol-numeric' }[need.kind];
        return this.#described(item, node, [...how.filter(word => word !== ''), ...this.#rows(about)], icon);
    }

    #described(item: TreeItem, node: ProgramNode & PredicateTarget, words: readonly string[], icon: string): TreeItem {
        item.description = words.join(' · ');
        item.iconPath = new ThemeIcon(icon);
        item.contextValue = 'predicate';
        item.tooltip = [item.label, ...words].join('\n');
        item.accessibilityInformation = { label: [item.label, ...words].join(', ') };
        item.command = { command: 'rulelang.goToPredicate', title: l10n.t('Go to Definition'), arguments: [node] };
        return item;
    }

    /** What the last run found, in words. */
    #rows({ rows }: OutlinePredicate): string[] {
        if (rows === undefined) return [];
        return [this.#outline?.stale === true ? l10n.t('{0} before the change', rowsText(rows)) : rowsText(rows)];
    }
}

/** Whether nothing new is to be seen. */
function isSame(before: ShownProgram | undefined, now: ShownProgram | undefined): boolean {
    if (before?.kind === 'failed' && now?.kind === 'failed') return String(before.reason) === String(now.reason);
    if (before?.kind !== 'outline' || now?.kind !== 'outline') return before === now;
    if (before.document.toString() !== now.document.toString()) return false;
    return before.outline.stamp === now.outline.stamp || textOf(before.outline) === textOf(now.outline);
}

function textOf({ stamp: _, ...outline }: ProgramOutline): string {
    return JSON.stringify(outline);
}

function divided(predicates: readonly PredicateNode[]): ProgramNode[] {
    if (predicates.length <= AT_ONCE) return [...predicates];
    const count = Math.ceil(predicates.length / AT_ONCE);
    return Array.from({ length: count }, (_, i) => ({ kind: 'range', predicates: predicates.slice(i * AT_ONCE, (i + 1) * AT_ONCE) }));
}

function nameOf({ name, arity }: OutlinePredicate): string {
    return `${visible(name)}/${arity}`;
}

function marksOf({ recursive, negation, aggregation, input, output }: OutlinePredicate): string[] {
    const marks = [
        input && l10n.t('input'),
        output && l10n.t('output'),
        recursive && l10n.t('recursive'),
        negation && l10n.t('negation'),
        aggregation && l10n.t('aggregation'),
    ];
    return marks.filter(mark => mark !== false);
}

function iconOf({ recursive, negation, aggregation, input, output, rules }: OutlinePredicate): string {
    if (output) return 'export';
    if (input) return 'database';
    if (recursive) return 'sync';
    if (aggregation) return 'symbol-numeric';
    if (negation) return 'circle-slash';
    return rules > 0 ? 'symbol-method' : 'list-unordered';
}
