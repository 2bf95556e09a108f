import { posix } from 'node:path';

/** The kind of a text that becomes rules without a model. */
export type TextKind = 'sql' | 'rdf' | 'owl';

/** Files of kinds that are translated, by their names. */
export const TRANSLATED_FILES = ['sql', 'ttl', 'nt', 'n3', 'rdf', 'owl'] as const;

/** Characters in which the kind of a text shows. */
const FRONT = 4_000;
const EXTENSION = new RegExp(`\\.(${TRANSLATED_FILES.join('|')})$`, 'iu');
const SQL = /^(?:\s|--[^\n]*\n|\()*(?:select|with)\s/iu;
const XML = /^\ufeff?\s*<(?:\?xml|!DOCTYPE|[\w.-]+:RDF)[\s\S]*:RDF[\s>]/u;
const TURTLE = /^\s*(?:@(?:prefix|base)\s|prefix\s+\S*:\s*<|<[^<>\s]+>\s+(?:a\s|<[^<>\s]+>\s))/imu;
/** Words of ontologies, which say more than facts. */
const ONTOLOGY = /www\.w3\.org\/(?:2002\/07\/owl|2000\/01\/rdf-schema)#/u;

/** The kind of a text, by the name of its file where that tells, else by how it begins; undefined for any other text, such as words. */
export function kindOfText(text: string, path = ''): TextKind | undefined {
    const [, extension] = EXTENSION.exec(path) ?? [];
    switch (extension?.toLowerCase()) {
        case 'sql':
            return 'sql';
        case undefined:
            break;
        default:
            return ONTOLOGY.test(text) || extension === 'owl' ? 'owl' : 'rdf';
    }
    const front = text.slice(0, FRONT);
    if (SQL.test(front)) return 'sql';
    if (XML.test(front) || TURTLE.test(front)) return ONTOLOGY.test(text) ? 'owl' : 'rdf';
    return undefined;
}

/** The name of a file without what it ends in: what the rules of it are called, and the file that they go to. */
export function stemOf(path: string): string {
    return posix.basename(path, posix.extname(path));
}
