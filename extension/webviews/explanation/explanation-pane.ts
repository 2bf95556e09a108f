import type { ExplainedDerivation, ExplainedFact, Explanation } from '#server/protocol/runs.ts';
import { element, iconButton, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';
import { visible } from '../visible-text.ts';

export interface ExplanationSource {
    explain(all: boolean): Promise<Explanation>;
    expand(node: number, all: boolean): Promise<readonly ExplainedDerivation[]>;
    reveal(node: number, derivation?: number): void;
    closed(): void;
}

export interface ExplanationPane {
    readonly root: HTMLElement;
    /** Explains another fact. */
    show(source: ExplanationSource): void;
    close(): void;
    focus(): void;
    readonly open: boolean;
}

/** A line of the tree: a fact, or one of several derivations of the fact above it. */
interface TreeItem {
    readonly root: HTMLElement;
    readonly parent: TreeItem | undefined;
    readonly level: number;
    readonly expandable: boolean;
    /** Undefined until it is expanded for the first time. */
    children: readonly TreeItem[] | undefined;
    expanded: boolean;
    load(): Promise<readonly TreeItem[]>;
    act(): void;
}

/** Why a fact holds, as a tree and in plain words. */
export function createExplanationPane(): ExplanationPane {
    const title = element('h2', {}, 'Explanation');
    const toggle = element('input', { type: 'checkbox' });
    const label = element('label', { class: 'toggle' }, toggle, 'All derivations');
    const close = iconButton(icon('close'), 'Close the explanation', () => pane.close());
    const tree = element('div', { class: 'tree', role: 'tree', 'aria-label': 'Derivation' });
    const words = element('div', { class: 'words', role: 'region', 'aria-label': 'In plain words' });
    const message = element('div', { class: 'explanation-message', role: 'status' });
    const content = element('div', { class: 'explanation-content' }, message, tree, words);
    const root = element(
        'section',
        { class: 'explanation', 'aria-label': 'Explanation', hidden: true },
        element('div', { class: 'explanation-head' }, title, label, close),
        content,
    );
    let source: ExplanationSource | undefined;
    let roots: readonly TreeItem[] = [];
    let focused: TreeItem | undefined;
    let asked = 0;

    const load = async (): Promise<void> => {
        const from = source;
        if (from === undefined) return;
        const request = ++asked;
        const slow = setTimeout(() => root.classList.add('busy'), 150);
        try {
            const explanation = await from.explain(toggle.checked);
            if (request === asked) show(explanation, from);
        } catch (reason) {
            if (request === asked) say(reason instanceof Error ? reason.message : String(reason));
        } finally {
            clearTimeout(slow);
            if (request === asked) root.classList.remove('busy');
        }
    };
    const say = (text: string): void => {
        tree.replaceChildren();
        words.replaceChildren();
        message.textContent = text;
    };
    const show = (explanation: Explanation, from: ExplanationSource): void => {
        message.textContent = '';
        const item = factItem(explanation.fact, undefined, 1, from, explanation.derivations);
        roots = [item];
        setAttributes(item.root, { 'aria-setsize': 1, 'aria-posinset': 1 });
        tree.replaceChildren(item.root);
        words.replaceChildren(element('h3', {}, 'In plain words'), ...wordLines(explanation.words));
        words.hidden = explanation.words.trim() === '';
        focus(item, true);
        void expand(item);
    };

    const factItem = (
        fact: ExplainedFact,
        parent: TreeItem | undefined,
        level: number,
        from: ExplanationSource,
        known?: readonly ExplainedDerivation[],
    ): TreeItem => {
        const second = element('div', { class: 'rule-line' });
        const origin = fact.origin;
        const isGroup = fact.kind === 'group';
        const text = isGroup
            ? element('span', { class: 'group' }, visible(fact.verbalization))
            : element('span', { class: 'fact', title: fact.verbalization }, visible(fact.text));
        const line = element('div', { class: 'fact-line' }, text);
        if (fact.deferred) line.append(element('span', { class: 'muted small later' }, 'came later'));
        if (origin !== undefined) {
            line.append(
                placeLink(visible(origin.label), origin.kind === 'clause' ? 'Open the fact' : 'Open the line of the file', () =>
                    from.reveal(fact.node),
                ),
            );
        }
        const item = treeItem(parent, level, fact.expandable, [line, second], {
            act: () => (origin === undefined ? undefined : from.reveal(fact.node)),
            async load() {
                const derivations = known ?? (await from.expand(fact.node, toggle.checked));
                if (isGroup)
                    return derivations.map((derivation, index) => contributionItem(derivation, index, fact, item, level + 1, from));
                const [only] = derivations;
                if (derivations.length === 1 && only !== undefined) {
                    second.replaceChildren(...ruleParts(only, () => from.reveal(fact.node, 0)));
                    return only.premises.map(premise => factItem(premise, item, level + 1, from));
                }
                return derivations.map((derivation, index) => derivationItem(derivation, index, fact, item, level + 1, from));
            },
        });
        return item;
    };

    const derivationItem = (
        derivation: ExplainedDerivation,
        index: number,
        fact: ExplainedFact,
        parent: TreeItem,
        level: number,
        from: ExplanationSource,
    ): TreeItem => {
        const number = element('span', { class: 'derivation-number' }, String(index + 1));
        const open = (): void => from.reveal(fact.node, index);
        const line = element('div', { class: 'rule-line numbered' }, number, ...ruleParts(derivation, open));
        const item = treeItem(parent, level, derivation.premises.length > 0, [line], {
            act: open,
            load: async () => derivation.premises.map(premise => factItem(premise, item, level + 1, from)),
        });
        return item;
    };

    /** One contribution to an aggregate: the rule is that of the group, so its facts are shown instead. */
    const contributionItem = (
        derivation: ExplainedDerivation,
        index: number,
        group: ExplainedFact,
        parent: TreeItem,
        level: number,
        from: ExplanationSource,
    ): TreeItem => {
        const [only] = derivation.premises;
        if (derivation.premises.length === 1 && only !== undefined) return factItem(only, parent, level, from);
        const number = element('span', { class: 'derivation-number' }, String(index + 1));
        const facts = visible(derivation.premises.map(premise => premise.text).join(', '));
        const open = (): void => from.reveal(group.node, index);
        const line = element(
            'div',
            { class: 'rule-line numbered' },
            number,
            element('span', { class: 'rule', title: facts }, facts),
            placeLink(visible(derivation.place), 'Open the rule', open),
        );
        const item = treeItem(parent, level, derivation.premises.length > 0, [line], {
            act: open,
            load: async () => derivation.premises.map(premise => factItem(premise, item, level + 1, from)),
        });
        return item;
    };

    const treeItem = (
        parent: TreeItem | undefined,
        level: number,
        expandable: boolean,
        lines: readonly HTMLElement[],
        does: Pick<TreeItem, 'load' | 'act'>,
    ): TreeItem => {
        const twist = element('span', { class: 'twist', 'aria-hidden': 'true' }, expandable ? icon('open') : undefined);
        const guides = Array.from({ length: level - 1 }, () => element('span', { class: 'guide' }));
        const body = element('div', { class: 'item-body' }, ...lines);
        const itemRoot = element('div', { class: 'item', role: 'treeitem', 'aria-level': level, tabindex: -1 }, ...guides, twist, body);
        const item: TreeItem = { root: itemRoot, parent, level, expandable, children: undefined, expanded: false, ...does };
        if (expandable) setAttributes(itemRoot, { 'aria-expanded': false });
        itemRoot.addEventListener('click', event => {
            focus(item, true);
            if (event.target instanceof Element && event.target.closest('button')) return;
            if (item.expandable) void switchItem(item);
        });
        itemRoot.addEventListener('keydown', event => {
            if (event.target !== itemRoot || !key(item, event)) return;
            event.preventDefault();
            event.stopPropagation();
        });
        return item;
    };

    const switchItem = (item: TreeItem): Promise<void> => (item.expanded ? Promise.resolve(collapse(item)) : expand(item));

    const expand = async (item: TreeItem): Promise<void> => {
        if (!item.expandable || item.expanded) return;
        const slow = setTimeout(() => item.root.classList.add('loading'), 150);
        try {
            item.children ??= await item.load();
        } catch (reason) {
            message.textContent = reason instanceof Error ? reason.message : String(reason);
            return;
        } finally {
            clearTimeout(slow);
            item.root.classList.remove('loading');
        }
        item.expanded = true;
        setAttributes(item.root, { 'aria-expanded': true });
        let last: HTMLElement = item.root;
        item.children.forEach((child, index, all) => {
            setAttributes(child.root, { 'aria-setsize': all.length, 'aria-posinset': index + 1 });
            last.after(child.root);
            last = lastOf(child, child.root);
        });
        for (const child of item.children) if (child.expanded) reattach(child);
    };
    /** Puts the lines below an item, whose own line has just been put back, where they belong. */
    const reattach = (item: TreeItem): void => {
        let last: HTMLElement = item.root;
        for (const child of item.children ?? []) {
            last.after(child.root);
            if (child.expanded) reattach(child);
            last = lastOf(child, child.root);
        }
    };
    const lastOf = (item: TreeItem, otherwise: HTMLElement): HTMLElement => {
        const child = item.expanded ? item.children?.at(-1) : undefined;
        return child === undefined ? otherwise : lastOf(child, child.root);
    };
    const collapse = (item: TreeItem): void => {
        item.expanded = false;
        setAttributes(item.root, { 'aria-expanded': false });
        const detach = (child: TreeItem): void => {
            child.root.remove();
            if (child.expanded) child.children?.forEach(detach);
        };
        item.children?.forEach(detach);
    };

    const focus = (item: TreeItem, really: boolean): void => {
        focused?.root.setAttribute('tabindex', '-1');
        focused = item;
        item.root.setAttribute('tabindex', '0');
        if (really) item.root.focus();
    };
    const shown = (): TreeItem[] => {
        const list: TreeItem[] = [];
        const visit = (item: TreeItem): void => {
            list.push(item);
            if (item.expanded) item.children?.forEach(visit);
        };
        roots.forEach(visit);
        return list;
    };
    const key = (item: TreeItem, event: KeyboardEvent): boolean => {
        const list = shown();
        const at = list.indexOf(item);
        const go = (to: TreeItem | undefined): boolean => {
            if (to !== undefined) focus(to, true);
            return true;
        };
        switch (event.key) {
            case 'ArrowDown':
                return go(list[at + 1]);
            case 'ArrowUp':
                return go(list[at - 1]);
            case 'Home':
                return go(list[0]);
            case 'End':
                return go(list.at(-1));
            case 'ArrowRight':
                if (item.expanded) return go(item.children?.[0]);
                void expand(item);
                return true;
            case 'ArrowLeft':
                if (!item.expanded) return go(item.parent);
                collapse(item);
                return true;
            case 'Enter':
                item.act();
                return true;
            case ' ':
                void switchItem(item);
                return true;
            case '*':
                for (const sibling of item.parent?.children ?? roots) void expand(sibling);
                return true;
            default:
                return false;
        }
    };
    toggle.addEventListener('change', () => void load());
    root.addEventListener('keydown', event => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        pane.close();
    });

    const pane: ExplanationPane = {
        root,
        get open() {
            return !root.hidden;
        },
        show(next) {
            source = next;
            root.hidden = false;
            void load();
        },
        close() {
            if (root.hidden) return;
            root.hidden = true;
            asked++;
            const closing = source;
            source = undefined;
            say('');
            closing?.closed();
        },
        focus: () => focused?.root.focus(),
    };
    return pane;
}

function ruleParts(derivation: ExplainedDerivation, open: () => void): HTMLElement[] {
    const rule = visible(derivation.rule.replace(/\s+/gu, ' '));
    return [element('span', { class: 'rule', title: rule }, rule), placeLink(visible(derivation.place), 'Open the rule', open)];
}

function placeLink(text: string, title: string, open: () => void): HTMLElement {
    const link = element('button', { type: 'button', class: 'link place', title, tabindex: -1 }, text);
    link.addEventListener('click', open);
    return link;
}

/** Lines of the words, indented as they are. */
function wordLines(words: string): HTMLElement[] {
    return words
        .split('\n')
        .filter(line => line.trim() !== '')
        .map(line => {
            const made = element('p', {}, visible(line.trim()));
            made.style.paddingLeft = `${Math.min(40, line.length - line.trimStart().length) * 4}px`;
            return made;
        });
}
