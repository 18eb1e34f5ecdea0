/** What a route answered, as it goes out; and what went wrong before one was reached. */
import type { FastifyError, FastifyReply } from 'fastify'
import { LIMITS } from 'rubicon-kernel'
import { API_HEADERS } from '../connections/headers.ts'
import { buildHttpProblem, toProblemReply } from '../problems/problem.ts'
import { JSON_TYPE, type Reply } from '../schemas/route.ts'

export function addApiHeaders(reply: Reply): Reply {
  return { ...reply, headers: { ...API_HEADERS, ...reply.headers } }
}

export function sendReply(reply: FastifyReply, answer: Reply): FastifyReply {
  const { status, body, headers = {}, cookies = [] } = answer
  if (cookies.length > 0) reply.header('set-cookie', [...cookies])
  return reply
    .code(status)
    .headers({ ...API_HEADERS, 'content-type': getContentType(body), ...headers })
    .send(typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body))
}

function getContentType(body: Reply['body']): string {
  if (typeof body === 'string') return 'text/plain; charset=utf-8'
  return body instanceof Uint8Array ? 'application/octet-stream' : JSON_TYPE['content-type']
}

/** What went wrong before the body was read whole. */
export function findTransportProblem({ code, statusCode = 500 }: FastifyError): Reply | null {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return toProblemReply({
      code: 'BODY_TOO_LARGE',
      summary: `the body has more than ${LIMITS.json.bytes} bytes`,
    })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') return buildHttpProblem('CONTENT_TYPE')
  return statusCode < 500 ? buildHttpProblem('REQUEST_INVALID') : null
}
