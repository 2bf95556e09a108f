import type { AskedBy, Methods } from '#server/protocol/methods.ts';
import { either, isCount, object, oneOf, type Shape } from '#server/protocol/shape.ts';

/** A question of a view by one of its methods; the answer has the number of the request. */
export type QuestionBy<T extends Methods> = { readonly kind: 'ask'; readonly request: number } & AskedBy<T>;

/** The shape of what a view asks by these methods. */
export function isQuestionBy<T extends Methods>(methods: T): Shape<QuestionBy<T>> {
    return either(
        ...Object.entries(methods).map(([method, { params }]) =>
            object({ kind: oneOf('ask'), request: isCount, method: oneOf(method), params }),
        ),
    ) as unknown as Shape<QuestionBy<T>>;
}
