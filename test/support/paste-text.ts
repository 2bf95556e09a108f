import type { Locator } from 'playwright-core';

/** What a browser has for it. */
interface Clipboards {
    readonly DataTransfer: new () => { setData(kind: string, text: string): void };
    readonly ClipboardEvent: new (name: string, about: object) => Event;
}

/** Pastes a text where the cursor of an editor is, as users bring several lines: an editor takes a pasted text at once. */
export async function pasteText(editor: Locator, text: string): Promise<void> {
    await editor.evaluate((found, pasted) => {
        const { DataTransfer, ClipboardEvent } = globalThis as unknown as Clipboards;
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', pasted);
        found.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
}
