import type { FastifyReply, FastifyRequest } from 'fastify';

/** On every answer of the services that pages of any origin may call. */
export const OPEN_HEADERS = {
    'Access-Control-Allow-Origin': '*',
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'X-Content-Type-Options': 'nosniff',
};

const PREFLIGHT_HEADERS = {
    'Access-Control-Allow-Methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Provider-Token',
    'Access-Control-Max-Age': '600',
};

/** Answers `OPTIONS`, by which a browser asks what a page may send. */
export function preflight(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    reply.removeHeader('content-type').headers(PREFLIGHT_HEADERS);
    if (request.headers['access-control-request-private-network'] === 'true') reply.header('Access-Control-Allow-Private-Network', 'true');
    return reply.code(204).send();
}
