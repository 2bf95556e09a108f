import { iconButton } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { openMenu } from '../menu.ts';
import { pictureOf, pngOf } from './made-picture.ts';
import type { DrawnPicture, Picture } from './picture.ts';

export interface PictureEvents {
    /** The drawing as it is now; undefined while there is none. */
    drawn(): DrawnPicture | undefined;
    save(picture: Picture): void;
    /** Called with the outcome in words. */
    said(text: string): void;
}

/** A button whose menu saves what is drawn as a picture, or copies it. */
export function pictureButton(events: PictureEvents): HTMLButtonElement {
    const button: HTMLButtonElement = iconButton(icon('picture'), l10n.t('Save as a picture'), () => openPictureMenu(button, events), {
        'aria-haspopup': 'menu',
    });
    return button;
}

export function openPictureMenu(button: HTMLElement, { drawn, save, said }: PictureEvents): void {
    const act = (make: (drawing: DrawnPicture) => Promise<void>) => () => {
        const drawing = drawn();
        if (drawing === undefined) said(l10n.t('There is nothing to save yet.'));
        else make(drawing).catch((reason: unknown) => said(reason instanceof Error ? reason.message : String(reason)));
    };
    const saved = (format: Picture['format']) => act(async drawing => save(await pictureOf(drawing, format)));
    openMenu(button, l10n.t('Save as a picture'), [
        { label: l10n.t('Save as SVG'), choose: saved('svg') },
        { label: l10n.t('Save as PNG'), choose: saved('png') },
        ...(canCopy()
            ? [
                  {
                      label: l10n.t('Copy as a picture'),
                      choose: act(async ({ svg }) => {
                          await copy(svg);
                          said(l10n.t('The picture is in the clipboard'));
                      }),
                  },
              ]
            : []),
    ]);
}

function canCopy(): boolean {
    return typeof ClipboardItem !== 'undefined' && 'clipboard' in navigator && 'write' in navigator.clipboard;
}

/** Some browsers copy only what is asked for while a click is handled: they are given a promise. */
async function copy(svg: string): Promise<void> {
    try {
        await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(svg) })]);
    } catch {
        throw new Error(l10n.t('The browser did not allow copying'));
    }
}
