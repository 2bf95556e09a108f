import { bindOptions, type SourceBind, sourceText } from './source-bind.ts';

/** The bind that reads a file. */
export function fileBind(type: string, options: Iterable<readonly [string, string]>, folder: string, name: string): SourceBind {
    return { kind: 'bind', type, source: sourceText(type, bindOptions(type, options)), outer: folder, inner: name };
}
