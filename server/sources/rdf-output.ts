import { type ReportContext, stop } from '#engine/reports/reports.ts';
import { type RdfMapping, rdfStatements } from '#engine/sources/rdf-statements.ts';
import { sourceOptions } from '#engine/sources/source-options.ts';
import type { Bind } from '#language/program/analysed-program.ts';
import { say } from '#language/program/say.ts';
import { withDefaults } from './bind-defaults.ts';
import { withParameters } from './bind-parameters.ts';
import type { SourceAccess, TriedSink } from './connector.ts';

/** The types whose outputs are written as statements where their bind says so (9.3). */
const WRITTEN: ReadonlySet<string> = new Set(['csv', 'parquet', 'sqlite', 'postgresql', 'mysql', 'mariadb']);
const KEYS: ReadonlySet<string> = new Set([
    ...['outputFormat', 'baseIri', 'mode', 'subjectColumn', 'graphIri', 'emitOntology', 'predicateColumn', 'objectColumn'],
    ...['subjectTypeColumn', 'objectTypeColumn', 'literalTypes'],
]);

/** The sink, which gets the statements that rows make where the bind says so. */
export function formattedSink(sink: TriedSink, bind: Bind, access: SourceAccess): TriedSink {
    if (!bind.options.has('outputFormat')) return sink;
    return {
        ...sink,
        try: () => {
            requireFormat(bind, access);
            return sink.try();
        },
        write: (rows, checkpoint) => {
            const mapping = requireFormat(bind, access);
            const refuse = (reason: string): never => stop('RT064', reportOf(bind), sink.name, reason);
            return sink.write(mapping === undefined ? rows : rdfStatements(rows, mapping, refuse, checkpoint), checkpoint);
        },
    };
}

/** What `outputFormat` and its options say; undefined where rows are written as they are. RT064 and RT065 for what is not carried out. */
export function requireFormat(whole: Bind, access: SourceAccess): RdfMapping | undefined {
    const context = reportOf(whole);
    // What leads to the target, and what opens it, is of no matter here.
    const options = new Map([...withDefaults(whole, access.grants.defaults).options].filter(([key]) => KEYS.has(key)));
    const bind = withParameters({ ...whole, kind: 'bind', options, outer: '', inner: '' }, access.parameters, context);
    const { text, flag, refuse } = sourceOptions(bind.options, whole.inner, context);
    const format = text('outputFormat')?.trim().toLowerCase() ?? 'none';
    if (format === 'none') return undefined;
    if (!WRITTEN.has(bind.type)) stop('RT065', context, say`Option 'outputFormat' of a ${bind.type} bind`);
    if (format !== 'rdf') refuse('outputFormat', say`write rdf, or leave it out for the rows themselves`);
    if (bind.options.has('graphIri')) stop('RT065', context, say`Option 'graphIri' of a ${bind.type} bind`);
    if (bind.keyed !== undefined) refuse('outputFormat', say`@delete and @update are about the rows themselves`);
    const mode = text('mode')?.trim().toLowerCase() ?? 'entity';
    if (mode !== 'entity' && mode !== 'triple') refuse('mode', say`write entity or triple`);
    if (mode === 'entity')
        for (const key of ['predicateColumn', 'objectColumn', 'objectTypeColumn'])
            if (text(key) !== undefined) refuse(key, say`it belongs to mode='triple'`);
    const baseIri = text('baseIri')?.trim();
    if (baseIri !== undefined && !/^[a-z][a-z0-9+.-]*:[^\s<>"{}|^`\\]+$/iu.test(baseIri))
        refuse('baseIri', say`write an address, such as https://example.org/`);
    return {
        predicate: bind.predicate,
        baseIri,
        mode: mode === 'triple' ? 'triple' : 'entity',
        subjectColumn: text('subjectColumn'),
        predicateColumn: text('predicateColumn'),
        objectColumn: text('objectColumn'),
        subjectTypeColumn: text('subjectTypeColumn'),
        objectTypeColumn: text('objectTypeColumn'),
        literalTypes:
            literalTypes(text('literalTypes')) ?? refuse('literalTypes', say`write column:type pairs, such as age:integer, born:date`),
        emitOntology: flag('emitOntology', true),
    };
}

/** `age:integer, born:xsd:date`; undefined for another text. */
function literalTypes(text = ''): ReadonlyMap<string, string> | undefined {
    const found = new Map<string, string>();
    for (const pair of text.split(',').filter(one => one.trim() !== '')) {
        const colon = pair.indexOf(':');
        const [name, type] = [
            pair.slice(0, Math.max(0, colon)).trim(),
            pair
                .slice(colon + 1)
                .trim()
                .replace(/^xsd:/u, ''),
        ];
        if (name === '' || !/^(?:\w+|[a-z][a-z0-9+.-]*:\/\/[^\s<>"{}|^`\\]+)$/iu.test(type)) return undefined;
        found.set(name, type);
    }
    return found;
}

function reportOf({ place, annotation }: Bind): ReportContext {
    return { location: { place, span: annotation.span } };
}
