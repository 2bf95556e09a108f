import { commands, window } from 'vscode';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import { searchWords } from '#extension/surfaces/search-words.ts';

/** A large tree is not drawn anew for every letter. */
const PAUSE = 150;

interface Filtering extends Pick<FilterQuestion, 'title' | 'placeholder'> {
    /** What menus see of it. */
    readonly context: string;
    readonly tree: { filter(words: readonly string[]): void };
    /** Says beside the tree what is left in sight. */
    describe(): void;
}

/** What commands do that filter a tree: with words that they are given, or ask for, and with none. */
export interface TreeFilter {
    /** The words that hold now. */
    readonly text: string;
    ask(text?: unknown): Promise<CommandOutcome>;
    clear(): Promise<CommandOutcome>;
}

export function createTreeFilter({ context, title, placeholder, tree, describe }: Filtering): TreeFilter {
    let filter = '';
    const set = (text: string): void => {
        const words = searchWords(text);
        filter = words.join(' ');
        tree.filter(words);
        describe();
        void commands.executeCommand('setContext', context, filter !== '');
    };
    return {
        get text() {
            return filter;
        },
        async ask(text) {
            if (typeof text !== 'string') return (await askFilter({ title, placeholder, filter, apply: set })) ? 'done' : 'nothing to do';
            set(text);
            return 'done';
        },
        async clear() {
            set('');
            return 'done';
        },
    };
}

interface FilterQuestion {
    readonly title: string;
    readonly placeholder: string;
    /** What is filtered by already; it holds again where the user gives up. */
    readonly filter: string;
    apply(filter: string): void;
}

/** Asks for words to filter a tree by, and filters while they are typed. Answers whether the user kept them. */
async function askFilter({ title, placeholder, filter, apply }: FilterQuestion): Promise<boolean> {
    const box = window.createInputBox();
    box.title = title;
    box.placeholder = placeholder;
    box.value = filter;
    const accepted = await new Promise<boolean>(resolve => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        let applied = filter;
        const applyNow = (): void => {
            clearTimeout(timer);
            const words = searchWords(box.value).join(' ');
            if (words !== applied) apply(words);
            applied = words;
        };
        box.onDidChangeValue(() => {
            clearTimeout(timer);
            timer = setTimeout(applyNow, PAUSE);
        });
        box.onDidAccept(() => {
            applyNow();
            resolve(true);
        });
        box.onDidHide(() => {
            clearTimeout(timer);
            resolve(false);
        });
        box.show();
    });
    box.dispose();
    if (!accepted) apply(filter);
    return accepted;
}
