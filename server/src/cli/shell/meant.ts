/** Flows and requests by the beginning of their ids, asked of the server. */
import { isObject, type JsonValue } from 'rubicon-kernel'
import { isBeginning, pickOnlyMatch } from '../whole-id.ts'
import { unwrapServerAnswer } from './link.ts'
import type { ShellSession } from './session.ts'

/** A dfid, as the runtime makes them: it begins with twelve digits of the millisecond it was made in. */
const WHOLE = 36
const MOMENT_DIGITS = 12
const LISTED = '1000'

export async function resolveDfidAtServer({ link }: ShellSession, typed: string): Promise<string> {
  const given = typed.toLowerCase()
  const query = { ...deriveTimeRange(given), limit: LISTED }
  if (!isBeginning(given) || given.length >= WHOLE || query.since === undefined) return given
  const { flows } = unwrapServerAnswer(await link.client.listFlows({ query }))
  const found = flows.map(({ dfid }) => dfid).filter((dfid) => dfid.startsWith(given))
  return pickOnlyMatch(given, found)
}

/** A request is named after its flow, with the number of the attempt behind it. */
export async function requestMeant(session: ShellSession, given: string): Promise<string> {
  const [beginning = '', ...attempt] = given.split(':')
  const dfid = await resolveDfidAtServer(session, beginning)
  if (attempt.length > 0) return [dfid, ...attempt].join(':')
  if (dfid.length < WHOLE) return given
  const flow = await session.link.client.getFlow({ params: { dfid } })
  if (!flow.ok) return given
  const asked = flow.body.entries.map(({ payload }) => findRequestId(parsePayload(payload)))
  return pickOnlyMatch(
    given,
    asked.filter((id) => id !== null),
  )
}

/** The server's payloads are JSON. */
function parsePayload(payload: unknown): JsonValue {
  return payload as JsonValue
}

function findRequestId(payload: JsonValue): string | null {
  const request = isObject(payload) ? payload.request : undefined
  const id = request !== undefined && isObject(request) ? request.id : undefined
  return typeof id === 'string' ? id : null
}

/** When flows were made whose dfids begin so; none: no dfid does. */
function deriveTimeRange(given: string): { readonly since?: string; readonly until?: string } {
  const digits = given.replaceAll('-', '').slice(0, MOMENT_DIGITS)
  if (!/^[0-9a-f]+$/.test(digits)) return {}
  const first = new Date(Number.parseInt(digits.padEnd(MOMENT_DIGITS, '0'), 16))
  const last = Number.parseInt(digits.padEnd(MOMENT_DIGITS, 'f'), 16)
  const behind = new Date(last + 1)
  if (!isYear(first) || !isYear(behind)) return {}
  return { since: first.toISOString(), until: behind.toISOString() }
}

/** Moments that can be written with four digits for the year. */
function isYear(moment: Date): boolean {
  return moment.getTime() < LAST_YEAR
}

const LAST_YEAR = Date.UTC(9999, 0)
