import { counted } from '#language/program/count-text.ts';
import { say } from '#language/program/say.ts';
import type { ProblemEntry } from '../problem-entry.ts';

/** RL603x: models. */
export const MODEL_PROBLEMS = {
    RL6030: {
        name: 'field-list-form',
        severity: 'warning',
        message: () => say`Write the field list as "['name:type', …]"`,
        why: 'Without brackets and quotes the text can still be read, but only this form can hold several fields and all of their parts.',
        example: `@model("p", "name:string"). p("a"). @output("h"). h(X) <- p(X).`,
    },
    RL6031: {
        name: 'model-arity',
        severity: 'error',
        message: (p: string, n: number, m: number) =>
            m === 1
                ? say`Model of '${p}' has ${counted(n, 'field')} but 1 column is used`
                : say`Model of '${p}' has ${counted(n, 'field')} but ${m} columns are used`,
        remedy: 'add the missing fields',
        why: 'A model names the columns of a predicate, one by one. With another number of fields it is not clear which is which.',
        example: `@model("p", "['name:string']"). @input("p"). @output("h"). h(X) <- p(X, _).`,
    },
    RL6032: {
        name: 'unknown-type',
        severity: 'error',
        message: (t: string) => say`Unknown type '${t}'`,
        why: 'The type says how values of the column are read and shown. There is none of this name.',
        example: `@model("p", "['name:strnig']"). p("a"). @output("h"). h(X) <- p(X).`,
    },
    RL6033: {
        name: 'duplicate-field',
        severity: 'error',
        message: (s: string) => say`Duplicate field '${s}'`,
        remedy: 'rename one of the fields',
        why: 'Fields name columns, so that explanations and results can refer to them. Two columns of one name could not be told apart.',
        example: `@model("p", "['name:string', 'name:int']"). p("a", 1). @output("h"). h(X) <- p(X, _).`,
    },
    RL6034: {
        name: 'unknown-super-model',
        severity: 'error',
        message: (s: string) => say`Unknown super model or field '${s}'`,
        why: 'A model may build on another one and refer to its fields. No model has this name, or no field.',
        example: `@model("p(q)", "['name:string']"). p("a"). @output("h"). h(X) <- p(X).`,
    },
    RL6035: {
        name: 'model-cycle',
        severity: 'error',
        message: (cycle: string) => say`Models refer to each other in a cycle: ${cycle}`,
        why: 'The fields of a model include those of the model that it builds on. In a cycle there is no first.',
        example: `@model("p(q)", "['a:string']"). @model("q(p)", "['a:string']"). p("x"). q("x").
@output("h"). h(X) <- p(X), q(X).`,
    },
    RL6036: {
        name: 'description-field',
        severity: 'warning',
        message: (s: string) => say`Description names '[${s}]', which is not a field`,
        why: "A description is read aloud with the values of a row in place of '[field]'. This name has no value, so it would stay as it is.",
        example: `@model("p", "['name:string']", "[nmae] lives here"). p("a"). @output("h"). h(X) <- p(X).`,
    },
    RL6037: {
        name: 'no-primary-key',
        severity: 'error',
        message: (s: string) => say`'${s}' has no primary key; mark a field with (ID)`,
        remedy: 'add (ID) to the field that identifies it',
        why: 'A field whose type is another model refers to a row of it. Which row is meant is told by the key, and the other model has none.',
        example: `@model("p", "['name:string']"). @model("q", "['owner:p']"). p("a"). q("a").
@output("h"). h(X) <- p(X), q(X).`,
    },
    RL6038: {
        name: 'two-primary-keys',
        severity: 'error',
        message: () => say`More than one primary key`,
        remedy: 'keep one (ID)',
        why: 'The key is what tells rows apart, and others refer to. There is one.',
        example: `@model("p", "['a(ID):string', 'b(ID):int']"). p("a", 1). @output("h"). h(X) <- p(X, _).`,
    },
    RL6039: {
        name: 'second-model',
        severity: 'error',
        message: (p: string) => say`'${p}' already has a model`,
        remedy: 'remove one of the models',
        why: 'A predicate has one list of columns. Two models might name them differently.',
        example: `@model("p", "['a:string']"). @model("p", "['b:string']"). p("a"). @output("h"). h(X) <- p(X).`,
    },
    RL6040: {
        name: 'endpoint-without-model',
        severity: 'warning',
        message: (s: string) => say`Relationship endpoint '${s}' has no model`,
        remedy: 'give it a model with a primary key',
        why: 'The ends of a relationship are rows of other predicates, told apart by their keys. Without a model there is no key.',
        example: `@model("(a)p(b)", "['x(sID):string', 'y(tID):string']"). @model("a", "['x(ID):string']").
a("u"). b("v"). p("u", "v"). @output("h"). h(X) <- p(X, _), a(X), b(_).`,
    },
} as const satisfies Record<`RL${number}`, ProblemEntry>;
