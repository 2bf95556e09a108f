import { element } from '#extension/surfaces/dom.ts';
import type { Picture } from '#extension/surfaces/pictures/picture.ts';

/** Hands a text, or bytes, to the browser as a file, which goes where its reader has files kept. */
export function saveFile(name: string, content: string | Uint8Array<ArrayBuffer> | Blob): void {
    const type = typeof content === 'string' ? 'text/plain;charset=utf-8' : 'application/octet-stream';
    const url = URL.createObjectURL(new Blob([content], { type }));
    const link = element('a', { href: url, download: name.replaceAll(/[\\/:*?"<>|\p{Cc}]/gu, '_') });
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 0);
}

export function savePicture({ name, format, content }: Picture): void {
    saveFile(`${name}.${format}`, content);
}

/** Has the reader choose files of some endings, such as `.sql`. */
export function chooseFiles(endings: readonly string[], chosen: (files: readonly File[]) => void): void {
    const input = element('input', { type: 'file', multiple: true, accept: endings.join(',') });
    input.addEventListener('change', () => chosen([...(input.files ?? [])]));
    input.click();
}
