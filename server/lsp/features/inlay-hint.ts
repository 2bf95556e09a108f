import type { InlayHint, InlayHintParams } from 'vscode-languageserver/node';
import { ruleAtoms } from '#language/editing/rule-atoms.ts';
import { aboutDocument } from '../answer.ts';
import { figuresSentence, figuresText } from '../atom-figures.ts';
import type { Feature } from '../language-server.ts';
import { rowsText } from '../run-sizes.ts';

/**
 * How many rows the last run found of the predicates of atoms, behind these; of heads where no lens says so. After a profiled run, what came
 * to each atom and what went on.
 */
export const inlayHint: Feature = {
    capabilities: ({ client }) => (client.textDocument?.inlayHint === undefined ? {} : { inlayHintProvider: true }),
    register: server => {
        const { connection, client, sizes, options, problems } = server;
        if (client.textDocument?.inlayHint === undefined) return;
        connection.languages.inlayHint.on(
            aboutDocument(server, 'textDocument/inlayHint', (document, { range }: InlayHintParams) => {
                const atoms = sizes.inline ? new Map(problems.atomsOf(document.uri).map(atom => [atom.start, atom])) : new Map();
                const last = sizes.of(document.uri);
                const run = last?.stale === false ? last : undefined;
                if (atoms.size === 0 && (!sizes.atAtoms || run === undefined)) return undefined;
                const part = { start: document.offsetAt(range.start), end: document.offsetAt(range.end) };
                return [...ruleAtoms(document.program, part)].flatMap(({ predicate, range: { start, end }, part: where }): InlayHint[] => {
                    const figures = atoms.get(start);
                    const rows = (where === 'head' ? options.lenses === true : !sizes.atAtoms) ? undefined : rowsText(run, predicate);
                    const told = figures === undefined ? rows : { label: figuresText(figures), tooltip: figuresSentence(figures) };
                    return told === undefined
                        ? []
                        : [
                              {
                                  position: document.positionAt(end),
                                  ...(typeof told === 'string' ? { label: told } : told),
                                  paddingLeft: true,
                              },
                          ];
                });
            }),
        );
    },
};
