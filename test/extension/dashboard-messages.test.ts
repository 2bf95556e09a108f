import { describe, expect, test } from 'vitest';
import { CONCEPT } from '#extension/webviews/concept/messages.ts';
import { DASHBOARD } from '#extension/webviews/dashboard/messages.ts';

const FROM_VIEW = [
    { kind: 'ask', id: 1, route: 'viewRows', call: '{}' },
    { kind: 'leave', id: 1 },
    { kind: 'draft', definition: '{"tiles":[]}' },
    { kind: 'draft' },
    { kind: 'open', concept: 'sale' },
    { kind: 'copy', text: 'a\tb' },
    { kind: 'link' },
];
const FROM_HOST = [
    { kind: 'show', scope: 'user', project: 'p', dashboard: 'd', mayChange: true },
    { kind: 'show', scope: 'user', project: 'p', dashboard: 'd', mayChange: false, draft: '{}' },
    { kind: 'answer', id: 1, answer: '[]' },
    { kind: 'refused', id: 1, status: 404, code: 'dashboard_not_found', message: 'gone' },
];

describe('a dashboard and its host', () => {
    test.each(FROM_VIEW)('the host takes $kind of the view', message => expect(DASHBOARD.fromView(message)).toBe(true));
    test.each(FROM_HOST)('the view takes $kind of the host', message => expect(DASHBOARD.fromHost(message)).toBe(true));

    test('neither takes a message with anything else in it', () => {
        for (const message of FROM_VIEW) expect(DASHBOARD.fromView({ ...message, more: 1 })).toBe(false);
        for (const message of FROM_HOST) expect(DASHBOARD.fromHost({ ...message, more: 1 })).toBe(false);
    });

    test('a view asks for the routes that it needs and for no other', () => {
        for (const route of ['saveConcept', 'cleanupProjects', 'deleteDashboard', 'constructor', '']) {
            const asked = { kind: 'ask', id: 1, route, call: '{}' };
            expect(DASHBOARD.fromView(asked)).toBe(false);
            expect(CONCEPT.fromView(asked)).toBe(false);
        }
        expect(CONCEPT.fromView({ kind: 'ask', id: 1, route: 'saveDashboard', call: '{}' })).toBe(false);
    });
});
