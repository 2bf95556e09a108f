import { typeNamed } from '#language/library/type-names.ts';
import type { SourceSchema } from '#language/program/analysed-program.ts';

/** A relation that another concept of the project supplies; the types of its columns are called as answers of the platform call them. */
export interface SuppliedRelation {
    readonly name: string;
    readonly columns: readonly { readonly name: string; readonly type?: string | undefined }[];
}

/** Returns the columns of supplied relations for the analysis. */
export function suppliedSchemas(relations: readonly SuppliedRelation[]): ReadonlyMap<string, SourceSchema> {
    return new Map(relations.map(({ name, columns }) => [name, { columns: columns.map(column) }]));
}

function column({ name, type: called }: SuppliedRelation['columns'][number]): SourceSchema['columns'][number] {
    const type = called === undefined ? undefined : typeNamed(called);
    // The rows of a concept are unknown until it has run: that says less than a type of nothing.
    return type === undefined || type.kind === 'unknown' ? { name } : { name, type };
}
