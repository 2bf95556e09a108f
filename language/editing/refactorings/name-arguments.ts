import { typeNamed } from '#language/library/type-names.ts';
import type { Predicate } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { printType } from '#language/program/types.ts';
import { annotationAddition } from '../quick-fixes/fix.ts';
import { predicatePlaces } from './predicate-places.ts';
import { inFile, type Refactoring, type RefactoringRequest, selectedNode } from './refactoring.ts';

/** The arguments of a predicate get names, by a model with the types that they have and names to be changed from there. */
export function* nameArguments(request: RefactoringRequest): Iterable<Refactoring> {
    const { workspace, document } = request;
    const node = selectedNode(request);
    if (node?.mention.kind !== 'predicate') return;
    const { name } = node.mention;
    const [predicate, ...others] = document.analysed.predicatesNamed(name);
    const places = predicate && predicatePlaces(workspace, document, name);
    if (predicate === undefined || places === undefined || others.length > 0 || predicate.model !== undefined) return;
    if (places.annotations.some(({ annotation }) => annotation.name === 'model' || annotation.name === 'mapping')) return;
    // Where only others give it rows, it is theirs to name.
    const isOwn = places.atoms.some(({ document: other, role }) => other.file === document.file && (role === 'fact' || role === 'head'));
    const isFacts = predicate.rules.length + predicate.inputBinds.length === 0 && !predicate.input;
    const isBound = predicate.inputBinds.length + predicate.outputBinds.length > 0;
    const fields = isOwn || isBound ? fieldsOf(predicate, { keepsNames: isBound, isFacts }) : undefined;
    if (fields === undefined) return;
    const title = say`Name the arguments of '${name}' by a model`;
    const text = `@model("${name}", "[${fields.map(field => `'${field}'`).join(', ')}]").`;
    yield inFile(document, { kind: 'rewrite', title }, [annotationAddition(document, 'model', text)]);
}

/**
 * The fields of a model that changes no value; undefined where a type or a name cannot be said. Who reads a file knows the names in it. A
 * sum of two `int` and a cell of a file may be longer than one.
 */
function fieldsOf(
    { columns }: Predicate,
    { keepsNames, isFacts }: { readonly keepsNames: boolean; readonly isFacts: boolean },
): readonly string[] | undefined {
    const names = columns.map(({ name }) => (keepsNames ? name : name.toLowerCase()));
    const areSaid = columns.every(({ type }) => typeNamed(printType(type))?.kind === type.kind && SCALARS.has(type.kind));
    if (columns.length === 0 || !areSaid || new Set(names).size < names.length || names.some(name => /[:'([\\"]/u.test(name)))
        return undefined;
    return columns.map(({ type }, at) => `${names[at]}:${type.kind === 'int' && !isFacts ? 'long' : printType(type)}`);
}

const SCALARS: ReadonlySet<string> = new Set(['int', 'double', 'string', 'boolean', 'date', 'timestamp']);
