import { PICTURE_FORMATS } from '#extension/surfaces/pictures/picture.ts';
import { isBytes, type Of, object, oneOf, type Shape, textUpTo } from '#server/protocol/shape.ts';

const MOST_BYTES = 1 << 26;
const isContent = ((value: unknown) => isBytes(value) && value.length <= MOST_BYTES) as Shape<Uint8Array<ArrayBuffer>>;

/** A picture of what a view shows, for a file that the user chooses. */
export const isGivenPicture = object({
    kind: oneOf('picture'),
    name: textUpTo(1 << 10),
    format: oneOf(...PICTURE_FORMATS),
    content: isContent,
});
export type GivenPicture = Of<typeof isGivenPicture>;
