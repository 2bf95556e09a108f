import { say } from '#language/program/say.ts';
import { ToolError } from './tool-error.ts';

/** Values by name, of texts `name=value`. A `ToolError` says which is none. */
export function namedTexts(texts: readonly string[]): Record<string, string> {
    return Object.fromEntries(
        texts.map(text => {
            const [name = '', ...value] = text.split('=');
            if (value.length === 0) throw new ToolError('validation_error', say`'${text}' is not of the form name=value`);
            return [name, value.join('=')];
        }),
    );
}
