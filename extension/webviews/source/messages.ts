import { isSourceMessage, type SourceMessage } from '#extension/surfaces/source/source-messages.ts';
import { either, isText, type Of, object, oneOf } from '#server/protocol/shape.ts';
import type { Conversation } from '../conversation.ts';
import { isGivenPicture } from '../given-picture.ts';
import { isGivenRows } from '../given-rows.ts';

const fromView = either(
    object({ kind: oneOf('again') }),
    object({ kind: oneOf('stop') }),
    object({ kind: oneOf('login') }),
    /** Has the values of a column counted. */
    object({ kind: oneOf('profile'), column: isText }),
    object({ kind: oneOf('leaveProfile') }),
    isGivenRows,
    isGivenPicture,
);
export type ViewMessage = Of<typeof fromView>;

export const SOURCE: Conversation<SourceMessage, ViewMessage> = { name: 'source', fromHost: isSourceMessage, fromView };
