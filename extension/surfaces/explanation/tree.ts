import { element, setAttributes } from '../dom.ts';
import { icon } from '../icons.ts';

/** A line of the tree. */
export interface TreeItem {
    readonly root: HTMLElement;
    readonly parent: TreeItem | undefined;
    readonly level: number;
    readonly expandable: boolean;
    /** Its lines, and its subject: several items may be about the same fact. */
    readonly lines: readonly HTMLElement[];
    readonly about: string | undefined;
    /** Undefined until it is expanded for the first time. */
    children: readonly TreeItem[] | undefined;
    expanded: boolean;
    load(): Promise<readonly TreeItem[]>;
    act(): void;
}

/** The content and the actions of a line. */
export interface TreeItemContent {
    readonly expandable: boolean;
    readonly lines: readonly HTMLElement[];
    /** Whom it is about, where several items may be about the same. */
    readonly about?: string;
    /** A class for its look. */
    readonly look?: string;
    /** It stands below its parent at the same level: the next step of a list. */
    readonly isNext?: boolean;
    load(item: TreeItem): Promise<readonly TreeItem[]> | readonly TreeItem[];
    act(): void;
}

export interface Tree {
    readonly root: HTMLElement;
    item(parent: TreeItem | undefined, content: TreeItemContent): TreeItem;
    /** The items of the first level. */
    readonly items: readonly TreeItem[];
    /** Takes the place of what is shown; the first line gets the focus. */
    show(items: readonly TreeItem[]): void;
    expand(item: TreeItem): Promise<void>;
    focus(): void;
}

/** A tree that is walked by keys, whose lines are loaded when they are expanded. */
export function createTree(label: string, failed: (message: string) => void): Tree {
    const root = element('div', { class: 'tree', role: 'tree', 'aria-label': label });
    let roots: readonly TreeItem[] = [];
    let focused: TreeItem | undefined;

    const switchItem = (item: TreeItem): void => {
        if (item.expanded) collapse(item);
        else void expand(item);
    };
    const number = (items: readonly TreeItem[]): void => {
        for (const [index, { root }] of items.entries()) setAttributes(root, { 'aria-setsize': items.length, 'aria-posinset': index + 1 });
    };
    const expand = async (item: TreeItem): Promise<void> => {
        if (!item.expandable || item.expanded) return;
        const slow = setTimeout(() => item.root.classList.add('loading'), 150);
        try {
            item.children ??= await item.load();
        } catch (reason) {
            failed(reason instanceof Error ? reason.message : String(reason));
            return;
        } finally {
            clearTimeout(slow);
            item.root.classList.remove('loading');
        }
        item.expanded = true;
        setAttributes(item.root, { 'aria-expanded': true });
        number(item.children.filter(({ level }) => level > item.level));
        attach(item);
    };
    /** Puts the lines below an item where they belong; returns the last of them. */
    const attach = (item: TreeItem): HTMLElement => {
        let last = item.root;
        for (const child of item.children ?? []) {
            last.after(child.root);
            last = child.expanded ? attach(child) : child.root;
        }
        return last;
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
    const focus = (item: TreeItem | undefined): void => {
        if (item === undefined) return;
        focused?.root.setAttribute('tabindex', '-1');
        focused = item;
        item.root.setAttribute('tabindex', '0');
        item.root.focus();
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
        switch (event.key) {
            case 'ArrowDown':
                focus(list[at + 1]);
                return true;
            case 'ArrowUp':
                focus(list[at - 1]);
                return true;
            case 'Home':
                focus(list[0]);
                return true;
            case 'End':
                focus(list.at(-1));
                return true;
            case 'ArrowRight':
                if (item.expanded) focus(item.children?.[0]);
                else void expand(item);
                return true;
            case 'ArrowLeft':
                if (item.expanded) collapse(item);
                else focus(item.parent);
                return true;
            case 'Enter':
                item.act();
                return true;
            case ' ':
                switchItem(item);
                return true;
            case '*':
                for (const sibling of item.parent?.children ?? roots) void expand(sibling);
                return true;
            default:
                return false;
        }
    };

    return {
        root,
        item(parent, { expandable, lines, about, look = '', isNext = false, load, act }) {
            const level = (parent?.level ?? 0) + (isNext ? 0 : 1);
            const twist = element('span', { class: 'twist', 'aria-hidden': 'true' }, expandable ? icon('open') : undefined);
            const guides = Array.from({ length: level - 1 }, () => element('span', { class: 'guide' }));
            const body = element('div', { class: 'item-body' }, ...lines);
            const made = element(
                'div',
                { class: `item ${look}`, role: 'treeitem', 'aria-level': level, tabindex: -1 },
                ...guides,
                twist,
                body,
            );
            const item: TreeItem = {
                root: made,
                parent,
                level,
                expandable,
                lines,
                about,
                children: undefined,
                expanded: false,
                load: async () => load(item),
                act,
            };
            if (expandable) setAttributes(made, { 'aria-expanded': false });
            made.addEventListener('click', event => {
                focus(item);
                if (event.target instanceof Element && event.target.closest('button')) return;
                if (item.expandable) switchItem(item);
            });
            made.addEventListener('keydown', event => {
                if (event.target !== made || !key(item, event)) return;
                event.preventDefault();
                event.stopPropagation();
            });
            return item;
        },
        get items() {
            return roots;
        },
        show(items) {
            roots = items;
            number(items);
            root.replaceChildren(...items.map(item => item.root));
            focus(items[0]);
        },
        expand,
        focus: () => focused?.root.focus(),
    };
}
