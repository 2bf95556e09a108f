export const PICTURE_FORMATS = ['svg', 'png'] as const;
export type PictureFormat = (typeof PICTURE_FORMATS)[number];

/** A file with a drawing. */
export interface Picture {
    /** Of the file, without its ending. */
    readonly name: string;
    readonly format: PictureFormat;
    readonly content: Uint8Array<ArrayBuffer>;
}

/** A drawing that stands alone, as the text of an SVG file. */
export interface DrawnPicture {
    readonly name: string;
    readonly svg: string;
}
