import { type Facts, readTable } from './tables.ts';

/** Walks down the roles of each person, and asks of every person whether they can approve each document. */
export function access(): Facts {
    const includes = readTable('access', 'roles.csv');
    const granted = readTable('access', 'granted.csv');
    const away = new Set(readTable('access', 'away.csv').map(([person]) => person));
    const rolesFrom = (role: string): string[] => [
        role,
        ...includes.flatMap(([upper, lower = '']) => (upper === role ? rolesFrom(lower) : [])),
    ];
    const people = readTable('access', 'members.csv').map(([person = '', role = '']) => ({ person, roles: new Set(rolesFrom(role)) }));
    const documents = readTable('access', 'documents.csv').map(([document = '', kind = '', author = '']) => {
        const roles = granted.flatMap(([role = '', action, of]) => (action === 'approve' && of === kind ? [role] : []));
        const able = people.filter(one => one.person !== author && !away.has(one.person) && roles.some(role => one.roles.has(role)));
        return { document, author, able };
    });
    return {
        approves: documents.flatMap(({ document, able }) => able.map(({ person }) => [person, document])),
        approvers: documents.filter(({ able }) => able.length > 0).map(({ document, able }) => [document, able.length]),
        waiting: documents.filter(({ able }) => able.length === 0).map(({ document, author }) => [document, author]),
    };
}
