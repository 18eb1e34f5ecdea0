/** A browser with a person in it: it keeps cookies and says where its pages come from. */
import assert from 'node:assert/strict'
import {
  ask,
  type HttpAnswer,
  type HttpPlace,
  type HttpQuestion,
} from '../http/agent-auth/client.ts'
import type { Method } from '../http/schemas/route.ts'

export type Browser = {
  readonly url: string
  readonly session: ReturnType<typeof JSON.parse>
  /** As the browser sends it. */
  readonly cookie: string
  /** As the server set it. */
  readonly set: string
  /** As a page of ours asks. */
  ask(method: Method, path: string, question?: HttpQuestion): Promise<HttpAnswer>
}

export async function signIn(
  { url, token }: HttpPlace,
  headers: Readonly<Record<string, string>> = {},
): Promise<Browser> {
  const origin = headers.origin ?? url
  const question = { body: { token }, headers: { ...headers, origin } }
  const answer = await ask({ url }, 'POST', '/v1/session', question)
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return browserOf(url, answer, origin)
}

export function browserOf(
  url: string,
  { headers, body }: HttpAnswer,
  origin: string = url,
): Browser {
  const set = headers.getSetCookie().find((one) => one.includes('-session')) ?? ''
  const cookie = set.split(';')[0] ?? ''
  return {
    url,
    session: body,
    cookie,
    set,
    ask: (method, path, question = {}) =>
      ask({ url }, method, path, {
        ...question,
        headers: {
          cookie,
          ...(method === 'GET' ? {} : { origin, 'rubicon-csrf': body.csrf }),
          ...question.headers,
        },
      }),
  }
}
