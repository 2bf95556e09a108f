import { element } from '#extension/surfaces/dom.ts';
import { createSourceSurface } from '#extension/surfaces/source/source-surface.ts';
import { linkToHost } from '../link-to-host.ts';
import { SOURCE } from './messages.ts';

const link = linkToHost(SOURCE);
const live = element('div', { class: 'visually-hidden', 'aria-live': 'polite' });
const surface = createSourceSurface({
    announce(text) {
        live.textContent = text;
    },
    again: () => link.send({ kind: 'again' }),
    stop: () => link.send({ kind: 'stop' }),
    login: () => link.send({ kind: 'login' }),
    profile: column => link.send({ kind: 'profile', column }),
    leaveProfile: () => link.send({ kind: 'leaveProfile' }),
    savePicture: picture => link.send({ kind: 'picture', ...picture }),
    ask: given => link.send({ kind: 'give', ...given }),
});
document.body.append(element('main', { class: 'main' }, surface.root), live);

document.addEventListener('keydown', event => {
    if (event.target instanceof HTMLInputElement || !surface.key(event)) return;
    event.preventDefault();
});

link.listen(message => {
    if ('name' in message) document.title = message.name;
    surface.show(message);
});
