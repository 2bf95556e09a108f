import { openFormSheet } from './form-sheet.ts';

/** What is asked before something is done. */
export interface Asked {
    readonly title: string;
    /** What follows from it. */
    readonly text?: string;
    /** A name that is asked for, with one that is proposed. */
    readonly name?: { readonly label: string; readonly value: string; complaint(text: string): string | undefined };
    /** What the button says that does it. */
    readonly label: string;
    /** Does it, or says why it cannot be done. That, and what the services refuse, is told in the sheet, which stays. */
    act(name: string): Promise<string | undefined>;
}

/** Asks for a name at most, in a sheet above the page. */
export function openAskSheet({ title, text, name, label, act }: Asked): void {
    openFormSheet({
        title,
        ...(text !== undefined && { text }),
        fields: () => (name === undefined ? [] : [{ name: 'name', ...name }]),
        label,
        act: ({ name: written = '' }) => act(written),
    });
}
