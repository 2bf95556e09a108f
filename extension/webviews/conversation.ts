import { object, oneOf, type Shape } from '#server/protocol/shape.ts';

/** The messages between a view and its host. Both drop a message without its shape. */
export interface Conversation<FromHost, FromView> {
    /** The folder of the view. */
    readonly name: string;
    readonly fromHost: Shape<FromHost>;
    readonly fromView: Shape<FromView>;
}

/** Said by every view once it listens. */
export const READY = { kind: 'ready' } as const;
export const isReady = object({ kind: oneOf('ready') });
