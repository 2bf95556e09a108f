import type { AnalysedProgram } from '#language/program/analysed-program.ts';
import { namesSecret } from '#server/protocol/secret-names.ts';
import { isSecretOption } from './without-secrets.ts';

/** The parameters whose values are secrets: those that are called like one, and those that a credential of a bind is made of. */
export function secretParameters({ parameters, binds }: Pick<AnalysedProgram, 'parameters' | 'binds'>): ReadonlySet<string> {
    const called = [...parameters.keys()].filter(namesSecret);
    const credentials = binds.flatMap(({ options }) => [...options].flatMap(([key, value]) => (isSecretOption(key) ? [value] : [])));
    return new Set([...called, ...credentials.flatMap(value => Array.from(value.matchAll(/\$\{(\w+)\}/gu), ([, name = '']) => name))]);
}
