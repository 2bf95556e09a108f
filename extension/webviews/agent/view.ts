import { createAgentSurface } from '#extension/surfaces/agent/agent-surface.ts';
import type { Sent } from '#extension/surfaces/agent/agent-view.ts';
import { isTurn } from '#extension/surfaces/agent/transcript.ts';
import { exactJson } from '#server/client/exact-json.ts';
import { isText, listOf } from '#server/protocol/shape.ts';
import { linkToHost } from '../link-to-host.ts';
import { AGENT } from './messages.ts';

const isTurns = listOf(isTurn);

const link = linkToHost(AGENT);
/** Resolvers that wait for the last request. */
let waiting: ((sent: Sent | undefined) => void)[] = [];
const surface = createAgentSurface(
    {
        act: action => link.send(action),
        sent: () =>
            new Promise(resolve => {
                waiting.push(resolve);
                link.send({ kind: 'sent' });
            }),
        keep: words => link.save(words),
        comparesOutside: true,
        configures: true,
    },
    isText(link.saved) ? link.saved : '',
);
document.body.append(surface.root);

link.listen(message => {
    switch (message.kind) {
        case 'view':
            surface.show(message.view);
            break;
        case 'turns': {
            const turns = exactJson(message.turns);
            if (isTurns(turns)) surface.showTurns(turns);
            break;
        }
        case 'turn': {
            const turn = exactJson(message.turn);
            if (isTurn(turn)) surface.grew(turn);
            break;
        }
        case 'sent':
            for (const resolve of waiting) resolve(message.sent);
            waiting = [];
            break;
        case 'suggest':
            surface.suggest(message.words);
            surface.focus();
            break;
    }
});

window.addEventListener('focus', () => {
    if (document.activeElement === document.body) surface.focus();
});
