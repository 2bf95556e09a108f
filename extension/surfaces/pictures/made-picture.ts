import { l10n } from '../l10n.ts';
import type { DrawnPicture, Picture, PictureFormat } from './picture.ts';

/** Dots for each unit of a drawing, so that it is sharp in print. */
const SCALE = 2;
/** Dots of a side at most: browsers make no larger canvases. */
const LONGEST = 8192;

export async function pictureOf({ name, svg }: DrawnPicture, format: PictureFormat): Promise<Picture> {
    const bytes = format === 'svg' ? new TextEncoder().encode(svg) : new Uint8Array(await (await pngOf(svg)).arrayBuffer());
    return { name, format, content: bytes };
}

/** A drawing in dots; one that is too large for the browser has fewer of them. */
export async function pngOf(svg: string): Promise<Blob> {
    const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
    try {
        const image = new Image();
        image.src = url;
        await image.decode();
        const scale = Math.min(SCALE, LONGEST / image.width, LONGEST / image.height);
        const canvas = document.createElement('canvas');
        canvas.width = Math.max(1, Math.round(image.width * scale));
        canvas.height = Math.max(1, Math.round(image.height * scale));
        canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
        return await new Promise((made, failed) =>
            canvas.toBlob(blob => (blob === null ? failed(new Error(l10n.t('The picture could not be made.'))) : made(blob)), 'image/png'),
        );
    } finally {
        URL.revokeObjectURL(url);
    }
}
