import { CodeActionKind, type ExtensionContext, type LogOutputChannel, languages } from 'vscode';
import { problemActions } from '#extension/agent/problem-actions.ts';
import type { CommandOutcome } from '#extension/host/outcome.ts';
import type { Connections } from '#extension/platform/connections.ts';
import type { ProjectPlace, Projects } from '#extension/projects/projects.ts';
import { isAttachment } from '#extension/surfaces/agent/transcript.ts';
import { createAgentPanel } from '#extension/webviews/agent/host.ts';
import { isText, object, oneOf } from '#server/protocol/shape.ts';
import type { Register } from './concepts-view.ts';

interface Surroundings {
    readonly context: ExtensionContext;
    readonly projects: Projects;
    readonly connections: Pick<Connections, 'startLocal'>;
    readonly log: LogOutputChannel;
    readonly register: Register;
}

const isPlace = object({ scope: oneOf('user', 'organization'), id: isText });

/** The agent of a project, and what is given to it from elsewhere. */
export function createAgentView({ context, projects, connections, log, register }: Surroundings): void {
    const agent = createAgentPanel(context, projects, log);
    // Arguments come from menus and actions, and from whoever else calls a command.
    register('askAgent', (words?: unknown, attachment?: unknown, place?: unknown) => {
        const where: ProjectPlace | undefined = isPlace(place) ? place : undefined;
        return agent.ask(isText(words) ? words : '', isAttachment(attachment) ? attachment : undefined, where);
    });
    register('newConversation', () => agent.begin());
    const withServices = (act: () => Promise<CommandOutcome>) => async (): Promise<CommandOutcome> => {
        if (projects.connection() === undefined) await connections.startLocal();
        return act();
    };
    register(
        'configureModel',
        withServices(() => agent.configure()),
    );
    register(
        'testModel',
        withServices(() => agent.test()),
    );
    register('acceptProposal', () => agent.decide('accept'));
    register('rejectProposal', () => agent.decide('reject'));
    context.subscriptions.push(
        languages.registerCodeActionsProvider(
            { language: 'rulelang' },
            problemActions(() => projects.connection()?.role === 'user'),
            { providedCodeActionKinds: [CodeActionKind.QuickFix] },
        ),
    );
}
