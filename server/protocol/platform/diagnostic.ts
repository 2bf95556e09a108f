import { Type } from 'typebox';
import { oneOf } from './schema.ts';

/** A problem of a text, as routes answer it. */
export const DIAGNOSTIC = Type.Object({
    message: Type.String(),
    severity: oneOf(['error', 'warning', 'information', 'hint']),
    line: Type.Integer(),
    column: Type.Integer(),
    end_line: Type.Integer(),
    end_column: Type.Integer(),
    code: Type.String(),
});
