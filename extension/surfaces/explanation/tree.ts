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
    return new ItemTree(label, failed);
}

class ItemTree implements Tree {
    readonly #failed: (message: string) => void;
    readonly root: HTMLElement;
    #roots: readonly TreeItem[] = [];
    #focused: TreeItem | undefined;

    constructor(label: string, failed: (message: string) => void) {
        this.#failed = failed;
        this.root = element('div', { class: 'tree', role: 'tree', 'aria-label': label });
    }

    item(parent: TreeItem | undefined, { expandable, lines, about, look = '', isNext = false, load, act }: TreeItemContent): TreeItem {
        const level = (parent?.level ?? 0) + (isNext ? 0 : 1);
        const twist = element('span', { class: 'twist', 'aria-hidden': 'true' }, expandable ? icon('open') : undefined);
        const guides = Array.from({ length: level - 1 }, () => element('span', { class: 'guide' }));
        const body = element('div', { class: 'item-body' }, ...lines);
        const made = element('div', { class: `item ${look}`, role: 'treeitem', 'aria-level': level, tabindex: -1 }, ...guides, twist, body);
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
            this.#focus(item);
            if (event.target instanceof Element && event.target.closest('button')) return;
            if (item.expandable) this.#switchItem(item);
        });
        made.addEventListener('keydown', event => {
            if (event.target !== made || !this.#key(item, event)) return;
            event.preventDefault();
            event.stopPropagation();
        });
        return item;
    }

    get items(): readonly TreeItem[] {
        return this.#roots;
    }

    show(items: readonly TreeItem[]): void {
        this.#roots = items;
        this.#number(items);
        this.root.replaceChildren(...items.map(item => item.root));
        this.#focus(items[0]);
    }

    focus(): void {
        this.#focused?.root.focus();
    }

    #switchItem(item: TreeItem): void {
        if (item.expanded) this.#collapse(item);
        else void this.expand(item);
    }

    #number(items: readonly TreeItem[]): void {
        for (const [index, { root }] of items.entries()) setAttributes(root, { 'aria-setsize': items.length, 'aria-posinset': index + 1 });
    }

    async expand(item: TreeItem): Promise<void> {
        if (!item.expandable || item.expanded) return;
        const slow = setTimeout(() => item.root.classList.add('loading'), 150);
        try {
            item.children ??= await item.load();
        } catch (reason) {
            this.#failed(reason instanceof Error ? reason.message : String(reason));
            return;
        } finally {
            clearTimeout(slow);
            item.root.classList.remove('loading');
        }
        item.expanded = true;
        setAttributes(item.root, { 'aria-expanded': true });
        this.#number(item.children.filter(({ level }) => level > item.level));
        this.#attach(item);
    }

    /** Puts the lines below an item where they belong; returns the last of them. */
    #attach(item: TreeItem): HTMLElement {
        let last = item.root;
        for (const child of item.children ?? []) {
            last.after(child.root);
            last = child.expanded ? this.#attach(child) : child.root;
        }
        return last;
    }

    #collapse(item: TreeItem): void {
        item.expanded = false;
        setAttributes(item.root, { 'aria-expanded': false });
        const detach = (child: TreeItem): void => {
            child.root.remove();
            if (child.expanded) child.children?.forEach(detach);
        };
        item.children?.forEach(detach);
    }

    #focus(item: TreeItem | undefined): void {
        if (item === undefined) return;
        this.#focused?.root.setAttribute('tabindex', '-1');
        this.#focused = item;
        item.root.setAttribute('tabindex', '0');
        item.root.focus();
    }

    #shown(): TreeItem[] {
        const list: TreeItem[] = [];
        const visit = (item: TreeItem): void => {
            list.push(item);
            if (item.expanded) item.children?.forEach(visit);
        };
        this.#roots.forEach(visit);
        return list;
    }

    #key(item: TreeItem, event: KeyboardEvent): boolean {
        const list = this.#shown();
        const at = list.indexOf(item);
        switch (event.key) {
            case 'ArrowDown':
                this.#focus(list[at + 1]);
                return true;
            case 'ArrowUp':
                this.#focus(list[at - 1]);
                return true;
            case 'Home':
                this.#focus(list[0]);
                return true;
            case 'End':
                this.#focus(list.at(-1));
                return true;
            case 'ArrowRight':
                if (item.expanded) this.#focus(item.children?.[0]);
                else void this.expand(item);
                return true;
            case 'ArrowLeft':
                if (item.expanded) this.#collapse(item);
                else this.#focus(item.parent);
                return true;
            case 'Enter':
                item.act();
                return true;
            case ' ':
                this.#switchItem(item);
                return true;
            case '*':
                for (const sibling of item.parent?.children ?? this.#roots) void this.expand(sibling);
                return true;
            default:
                return false;
        }
    }
}
