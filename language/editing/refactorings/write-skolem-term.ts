import { numberedName } from '#language/program/numbered-name.ts';
import { say } from '#language/program/say.ts';
import { programsWith } from '#language/symbols/workspace.ts';
import { bodyEnd } from '../quick-fixes/clause-parts.ts';
import { insertion } from '../quick-fixes/fix.ts';
import { inClause, type Refactoring, type RefactoringRequest } from './refactoring.ts';
import { dependsOnCutting, headVariables, isPlain } from './rule-parts.ts';

/** The null that a head variable stands for is written as the Skolem term that it is: of the bound variables of the head (D-27). */
export function* writeSkolemTerm(request: RefactoringRequest): Iterable<Refactoring> {
    const { rule, selection, tokens, document, workspace } = request;
    if (rule === undefined || rule.rule.head.kind !== 'atoms' || !isPlain(rule.rule) || dependsOnCutting(request.programs)) return;
    for (const { predicate, arguments: terms } of rule.rule.head.atoms) {
        const term = terms.find(({ span }) => span.start <= selection.start && selection.end <= span.end);
        if (term?.kind !== 'variable' || !rule.existential.includes(term.name)) continue;
        const texts = programsWith(workspace, document).map(({ text }) => text);
        const name = numberedName(`${predicate}_${term.name.toLowerCase()}`, wished => texts.some(text => text.includes(`#${wished}`)));
        const frontier = [...headVariables(rule.rule)].filter(variable => rule.bound.has(variable));
        const skolem = `${term.name} = #${name}(${frontier.join(', ')})`;
        yield inClause(
            request,
            { kind: 'rewrite', title: say`Write '${term.name}' as a Skolem term` },
            insertion(bodyEnd(tokens), `, ${skolem}`),
        );
        return;
    }
}
