import { printProgram } from '#language/program/print.ts';
import type { Annotation, Atom, Clause, Program } from '#language/program/program.ts';

/** Names that every JavaScript object answers to, and that are no more than names of predicates here. */
const NAMES = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', 'isPrototypeOf', 'toLocaleString', 'propertyIsEnumerable'];

/** Renames the predicates of a program to names of object members, in atoms and annotations. */
export function renamedProgram(program: Program): { readonly text: string; readonly names: ReadonlyMap<string, string> } {
    const names = new Map<string, string>();
    const rename = (name: string): string => {
        const known = names.get(name) ?? NAMES[names.size] ?? `${NAMES[names.size % NAMES.length]}${names.size}`;
        names.set(name, known);
        return known;
    };
    for (const clause of program.clauses) for (const name of definedBy(clause)) rename(name);
    const renamedAtom = (atom: Atom): Atom => ({ ...atom, predicate: names.get(atom.predicate) ?? atom.predicate });
    const renamedAnnotation = (annotation: Annotation): Annotation => {
        if (annotation.name === 'model') return renamedModel(annotation, names);
        const [first, ...rest] = annotation.arguments;
        if (first?.kind !== 'string' || annotation.name === 'param') return annotation;
        return { ...annotation, arguments: [{ ...first, value: names.get(first.value) ?? first.value }, ...rest] };
    };
    const renamedClause = (clause: Clause): Clause => {
        const annotations = clause.annotations.map(renamedAnnotation);
        if (clause.kind === 'fact') return { ...clause, annotations, atom: renamedAtom(clause.atom) };
        if (clause.kind !== 'rule') return { ...clause, annotations };
        const head = clause.head.kind === 'atoms' ? { ...clause.head, atoms: clause.head.atoms.map(renamedAtom) } : clause.head;
        if (clause.body.kind === 'relation-function') {
            const { call } = clause.body;
            const input = { ...call.input, text: names.get(call.input.text) ?? call.input.text };
            return { ...clause, annotations, head, body: { ...clause.body, call: { ...call, input } } };
        }
        if (clause.body.kind !== 'items') return { ...clause, annotations, head };
        const items = clause.body.items.map(item => (item.kind === 'atom' ? { ...item, atom: renamedAtom(item.atom) } : item));
        return { ...clause, annotations, head, body: { ...clause.body, items } };
    };
    const clauses = program.clauses.map(renamedClause);
    return { text: printProgram({ ...program, clauses }), names };
}

/** The names in the name form, and those of models in the types of fields. */
function renamedModel(annotation: Annotation, names: ReadonlyMap<string, string>): Annotation {
    const renamed = (text: string, words: RegExp): string => text.replaceAll(words, word => names.get(word) ?? word);
    const [form, fields, ...rest] = annotation.arguments;
    if (form?.kind !== 'string' || fields?.kind !== 'string') return annotation;
    const types = { ...fields, value: renamed(fields.value, /(?<=:\[?)\w+/g) };
    return { ...annotation, arguments: [{ ...form, value: renamed(form.value, /\w+/g) }, types, ...rest] };
}

/** Other names in bodies are functions. */
function definedBy(clause: Clause): string[] {
    if (clause.kind === 'fact') return [clause.atom.predicate];
    if (clause.kind === 'rule') return clause.head.kind === 'atoms' ? clause.head.atoms.map(atom => atom.predicate) : [];
    const binds = clause.annotations.filter(annotation => annotation.name === 'bind' || annotation.name === 'input');
    return binds.flatMap(({ arguments: [first] }) => (first?.kind === 'string' ? [first.value] : []));
}
