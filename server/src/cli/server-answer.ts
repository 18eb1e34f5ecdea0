/** What a route answered to a verb; a refusal is a failure of the verb, in the words of the server. */
import { randomUUID } from 'node:crypto'
import type { AnyProblem, ClientAnswer } from 'rubicon-agents'
import type { Client } from 'rubicon-agents/client'
import type { Failure } from 'rubicon-kernel'
import { CliFailure } from './failure.ts'

/** What to do in the words of the command, where those of the API would not help. */
const VERB_FIXES: Readonly<Record<string, string>> = {
  AGENT_UNKNOWN: 'see `rubicon agents`',
  ESCALATION_UNKNOWN: 'see `rubicon escalations list`',
  FLOW_UNKNOWN: 'see `rubicon flows list`',
}

export function unwrapAnswer<Body>(
  answer: ClientAnswer<Body>,
  fixes: Readonly<Record<string, string>> = VERB_FIXES,
): Body {
  if (answer.ok) return answer.body
  throw new CliFailure(toProblemFailure(answer.problem, fixes))
}

/** What the client says itself, of a server that it did not hear. */
const UNHEARD: ReadonlySet<string> = new Set([
  'SERVER_UNREACHABLE',
  'REQUEST_UNSENDABLE',
  'ANSWER_UNREADABLE',
  'ANSWER_REDIRECTED',
])

/** A problem of a server may have the meaning of its code as a title; what it says of this case is the detail. */
export function toProblemFailure(
  { code, title, detail, fix, meta }: AnyProblem,
  fixes: Readonly<Record<string, string>> = VERB_FIXES,
): Failure {
  // A detail that begins with the title says the rest behind it.
  const rest = detail.startsWith(`${title}: `) ? detail.slice(title.length + 2) : null
  const why = rest ?? (UNHEARD.has(code) ? detail : null)
  const said = why === null ? { summary: detail } : { summary: title, why }
  const here = fixes[code] ?? fix
  return {
    code,
    ...said,
    ...(here === undefined ? {} : { fix: here }),
    ...(meta === undefined ? {} : { meta: parseMeta(meta) }),
  }
}

/** As the engine wrote it. */
function parseMeta(meta: unknown): NonNullable<Failure['meta']> {
  return meta as NonNullable<Failure['meta']>
}

/** A new intention: what was not heard is looked at before it is typed again. */
export function createIdempotencyKey(): { readonly key: string } {
  return { key: randomUUID() }
}

/** Whose word it is, as the server knows them. */
export async function readSpeaker(client: Client): Promise<string> {
  return unwrapAnswer(await client.getSession()).name
}
