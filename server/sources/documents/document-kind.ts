/** What a file is that may be a document, by its first bytes. */
export type DocumentKind =
    | { readonly kind: 'pdf' }
    | { readonly kind: 'image'; readonly type: string }
    | { readonly kind: 'text' }
    | { readonly kind: 'other' };

/** Bytes within which a PDF says that it is one. */
const START = 1024;

const IMAGES: readonly { readonly type: string; readonly starts: RegExp }[] = [
    { type: 'image/png', starts: /^\x89PNG\r\n/u },
    { type: 'image/jpeg', starts: /^\xff\xd8\xff/u },
    { type: 'image/gif', starts: /^GIF8[79]a/u },
    { type: 'image/webp', starts: /^RIFF[\s\S]{4}WEBP/u },
];

/** Images are those that models look at. What has a zero byte is no text. */
export function documentKind(bytes: Uint8Array): DocumentKind {
    const start = Buffer.from(bytes.subarray(0, START)).toString('latin1');
    if (start.includes('%PDF-')) return { kind: 'pdf' };
    const image = IMAGES.find(({ starts }) => starts.test(start));
    if (image !== undefined) return { kind: 'image', type: image.type };
    return { kind: bytes.includes(0) ? 'other' : 'text' };
}
