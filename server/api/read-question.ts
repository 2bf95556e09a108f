import { ApiError } from '#server/protocol/platform/api-error.ts';
import { portable } from '#server/protocol/portable.ts';
import { type FormFields, formFields, readJson } from './read-body.ts';
import { validated } from './validate.ts';

/** A question about the contents of a request. Schemas are data, so that other processes can get them. */
export type ReadQuestion =
    /** The fields of a query and of a JSON body. */
    | {
          readonly kind: 'json';
          readonly bytes: Uint8Array;
          readonly deepest: number;
          readonly query: { readonly schema: object; readonly given: string };
          readonly body: object;
      }
    /** The fields of a form that have one of the names; undefined where it cannot be read. */
    | { readonly kind: 'form'; readonly bytes: Uint8Array; readonly type: string | undefined; readonly names: readonly string[] }
    /** A JSON value that fits `schema`, as `listed` describes it. */
    | { readonly kind: 'kept'; readonly text: string; readonly schema: object; readonly listed: object };

export type ReadAnswer =
    | { readonly kind: 'read'; readonly value: unknown }
    | {
          readonly kind: 'refused';
          readonly error: Pick<ApiError, 'code' | 'words' | 'details'>;
      };

/** Throws an `ApiError` for what cannot be read. */
export function readQuestion(question: ReadQuestion): unknown {
    switch (question.kind) {
        case 'json': {
            const { bytes, deepest, query, body } = question;
            const given = new URLSearchParams(query.given);
            return validated({ schema: query.schema, given }, { schema: body, ...readJson(bytes, deepest) });
        }
        case 'form':
            return namedFields(question);
        case 'kept': {
            const { text, schema, listed } = question;
            const query = { schema: {}, given: new URLSearchParams() };
            const given = JSON.parse(text);
            validated(query, { schema, given, written: text });
            return validated(query, { schema: listed, given, written: text }).body;
        }
    }
}

function namedFields({ bytes, type, names }: Extract<ReadQuestion, { kind: 'form' }>): FormFields | undefined {
    const fields = formFields(bytes, type);
    return fields && new Map([...fields].filter(([name]) => names.includes(name)));
}

/** The same for another process. */
export function readAnswer(question: ReadQuestion): ReadAnswer {
    try {
        return { kind: 'read', value: portable(readQuestion(question)) };
    } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { code, words, details } = error;
        return { kind: 'refused', error: { code, words, details } };
    }
}
