import { element } from '../dom.ts';
import { icon } from '../icons.ts';
import { l10n } from '../l10n.ts';
import { momentText } from '../number-text.ts';
import { visible, visibleLines } from '../visible-text.ts';
import { callView } from './call-view.ts';
import { codeNode, markdownNodes } from './markdown-view.ts';
import { mentionsIn } from './mentions.ts';
import { proposalView } from './proposal-view.ts';
import type { Part, Turn } from './transcript.ts';
import type { TurnEvents } from './turn-events.ts';

/** A message and its answer; what has not changed since it was drawn stays as the reader has left it. */
export interface TurnView {
    readonly root: HTMLElement;
    /** `isLast` for the turn after which nothing was asked. */
    show(turn: Turn, isLast: boolean): void;
}

interface Drawn {
    readonly key: string;
    readonly node: HTMLElement;
}

export function createTurnView(first: Turn, events: TurnEvents): TurnView {
    const answer = element('div', { class: 'answer' });
    const foot = element('div', { class: 'turn-foot small' });
    const root = element(
        'article',
        { class: 'turn', 'aria-label': visible(first.message.slice(0, 80)) },
        questionNode(first, events),
        answer,
        foot,
    );
    let drawn: Drawn[] = [];
    let footKey = '';
    return {
        root,
        show(turn, isLast) {
            const isRunning = turn.state === 'running';
            const next = turn.parts.map((part, index): Drawn => {
                const key = keyOf(part, isRunning);
                const before = drawn[index];
                return before?.key === key ? before : { key, node: partNode(part, index, turn, events) };
            });
            next.forEach(({ node }, index) => {
                const old = drawn[index]?.node;
                if (old === node) return;
                if (old === undefined) answer.append(node);
                else replaceKeepingFocus(old, node);
            });
            for (const { node } of drawn.slice(next.length)) node.remove();
            drawn = next;
            root.classList.toggle('running', isRunning);
            root.setAttribute('aria-busy', String(isRunning));
            const isWaiting = turn.parts.some(part => part.kind === 'call' && part.proposal?.state === 'waiting');
            const key = [turn.state, isWaiting, isLast, turn.undone, turn.changed.join()].join(' ');
            if (key === footKey) return;
            footKey = key;
            foot.replaceChildren(...(isWaiting ? [] : footNodes(turn, isLast, events)));
        },
    };
}

/** A key for the content of a part, which is drawn anew when the key changes. */
function keyOf(part: Part, isRunning: boolean): string {
    switch (part.kind) {
        case 'text':
            return `text ${part.text}`;
        case 'error':
            return `error ${part.code} ${part.message}`;
        case 'call':
            return ['call', part.tool, part.result === undefined ? isRunning : 'ended', part.proposal?.state, part.proposal?.code].join(
                ' ',
            );
    }
}

/** A button that was just used gives its focus to the place where it was. */
function replaceKeepingFocus(old: HTMLElement, node: HTMLElement): void {
    const hadFocus = old.contains(document.activeElement);
    old.replaceWith(node);
    if (!hadFocus) return;
    node.tabIndex = -1;
    node.focus({ preventScroll: true });
}

function partNode(part: Part, index: number, turn: Turn, events: TurnEvents): HTMLElement {
    switch (part.kind) {
        case 'text':
            return element('div', { class: 'told' }, ...markdownNodes(part.text, events));
        case 'error':
            return errorNode(part.code, part.message, events);
        case 'call': {
            const { proposal, tool } = part;
            const card = proposal && proposalView(proposal, { tool, turn: turn.id, part: index }, events);
            return element('div', { class: 'call-part' }, callView(part, turn.state === 'running', events), card);
        }
    }
}

function errorNode(code: string, message: string, events: TurnEvents): HTMLElement {
    const isNote = code === 'forgotten';
    const root = element(
        'div',
        { class: isNote ? 'turn-note muted' : 'turn-error', role: isNote ? undefined : 'alert' },
        element('span', { class: 'turn-error-mark' }, icon(isNote ? 'information' : 'error')),
        element('div', {}, visibleLines(message)),
    );
    const { configure: ask } = events;
    if (code === 'llm_not_configured' && ask !== undefined) {
        const configure = element('button', { type: 'button', class: 'link' }, l10n.t('Configure a model'));
        configure.addEventListener('click', () => ask());
        root.lastElementChild?.append(' ', configure);
    }
    return root;
}

function questionNode({ message, attachments, began }: Turn, events: TurnEvents): HTMLElement {
    const words = mentionsIn(message, name => events.isConcept(name)).map(({ text, mention }) => {
        if (mention === undefined) return visibleLines(text);
        const link = element('button', { type: 'button', class: 'link value' }, text);
        link.addEventListener('click', () => events.open(mention));
        return link;
    });
    const attached = attachments.map(({ title, text }) =>
        element('details', { class: 'attached' }, element('summary', {}, icon('attach'), visible(title)), codeNode(text, '', events)),
    );
    const when = momentText(began, document.documentElement.lang || 'en');
    return element('div', { class: 'question', title: when }, element('div', { class: 'question-words' }, ...words), ...attached);
}

function footNodes({ state, changed, undone, model, asked }: Turn, isLast: boolean, events: TurnEvents): Node[] {
    const nodes: Node[] = [];
    if (state === 'running')
        return [element('span', { class: 'working', 'aria-hidden': 'true' }, element('i', {}), element('i', {}), element('i', {}))];
    if (state === 'stopped') nodes.push(element('span', { class: 'muted' }, l10n.t('Stopped')));
    if (changed.length > 0) {
        const line = element('span', {}, l10n.t('Changed: {0}', ''));
        changed.forEach((name, index) => {
            const link = element('button', { type: 'button', class: 'link value small' }, visible(name));
            link.addEventListener('click', () => events.open(name));
            line.append(index === 0 ? '' : ', ', link);
        });
        nodes.push(line);
        if (undone) nodes.push(element('span', { class: 'muted' }, l10n.t('Undone')));
        else if (isLast) {
            const undo = element('button', { type: 'button', class: 'link small' }, l10n.t('Undo'));
            undo.addEventListener('click', () => events.undo());
            nodes.push(undo);
        }
    }
    if (isLast && asked === 'agent' && model !== undefined) nodes.push(sentNode(model, events));
    return nodes;
}

/** The last request to the model, loaded when the user opens it. */
function sentNode(model: string, events: TurnEvents): HTMLElement {
    const body = element('div', {});
    const root = element('details', { class: 'sent' }, element('summary', { class: 'muted' }, l10n.t('Sent to {0}', visible(model))), body);
    root.addEventListener('toggle', async () => {
        if (!root.open || body.hasChildNodes()) return;
        body.append(element('p', { class: 'muted' }, l10n.t('Loading')));
        const sent = await events.sent().catch(() => undefined);
        if (sent === undefined) body.replaceChildren(element('p', { class: 'muted' }, l10n.t('The services do not keep it any more.')));
        else body.replaceChildren(element('p', { class: 'muted value' }, visible(sent.url)), codeNode(readable(sent.body), 'json', events));
    });
    return root;
}

function readable(body: string): string {
    try {
        return JSON.stringify(JSON.parse(body), undefined, 2);
    } catch {
        return body;
    }
}
