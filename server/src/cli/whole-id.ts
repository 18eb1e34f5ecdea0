/**
 * Flows and requests by the beginning of their ids: as much as somebody has copied, in any case. What
 * nothing begins with is refused here, with what it is instead.
 */
import type { Client } from 'rubicon-agents/client'
import type { Failure } from 'rubicon-kernel'
import { executeAsReader } from './as-reader.ts'
import { type CommandCall, getArgument } from './call.ts'
import { CliFailure } from './failure.ts'
import { describeOtherId, isDfidLike } from './other-id.ts'
import { unwrapAnswer } from './server-answer.ts'

/** Shorter ones would soon mean many. */
const SHORTEST = 8
const LISTED = 10
const DFID_LENGTH = 36
/** What ids of flows, and of requests in them, look like. */
const BEGINNING = /^[0-9a-f][0-9a-f-]{7,35}(:[0-9]{0,9})?$/

/** The dfid that the first argument of a verb means. */
export function resolveDfidArgument(call: CommandCall): Promise<string> {
  const given = getArgument(call, 0, 'DFID')
  return executeAsReader(call, (client) => resolveDfid(client, given))
}

/** The id of the request that the first argument of a verb means. */
export function resolveRequestArgument(call: CommandCall): Promise<string> {
  const given = getArgument(call, 0, 'ID')
  return executeAsReader(call, (client) => resolveRequestId(client, given))
}

export async function resolveDfid(client: Client, typed: string): Promise<string> {
  const given = normaliseId(typed)
  const { flows } = await findIds(client, given)
  if (flows.length > 0) return pickOnlyMatch(given, flows)
  throw new CliFailure({
    code: 'FLOW_UNKNOWN',
    ...(await describeUnknownFlow(client, typed.trim())),
  })
}

export async function resolveRequestId(client: Client, typed: string): Promise<string> {
  const given = normaliseId(typed)
  const found = await findRequestIds(client, given)
  if (found.requests.includes(given)) return given
  if (found.requests.length > 0) return pickOnlyMatch(given, found.requests)
  throw new CliFailure({
    code: 'ESCALATION_UNKNOWN',
    ...describeUnknownRequest(given, found.flows),
  })
}

/** A request is named after its flow, with the number of the attempt behind it; the flow may be cut short. */
async function findRequestIds(client: Client, given: string): Promise<FoundIds> {
  const [dfid = '', attempt] = given.split(':')
  if (attempt === undefined || dfid.length >= DFID_LENGTH) return findIds(client, given)
  const { flows, requests } = await findIds(client, dfid)
  return { flows, requests: requests.filter((id) => id.endsWith(`:${attempt}`)) }
}

type FoundIds = { readonly flows: readonly string[]; readonly requests: readonly string[] }

async function findIds(client: Client, begins: string): Promise<FoundIds> {
  if (!BEGINNING.test(begins)) return { flows: [], requests: [] }
  return unwrapAnswer(await client.findIds({ query: { begins } }))
}

/** Ids are made in lower case; what copies them may write them otherwise. */
function normaliseId(typed: string): string {
  const given = typed.trim()
  const [dfid = ''] = given.split(':')
  return isDfidLike(dfid) ? given.toLowerCase() : given
}

async function describeUnknownFlow(
  client: Client,
  given: string,
): Promise<Pick<Failure, 'summary' | 'fix'>> {
  const other = describeOtherId(given, SHORTEST)
  if (other !== null) return other
  if ((await client.getAgent({ params: { id: given } })).ok)
    return {
      summary: `\`${given}\` is an agent, not a flow`,
      fix: `\`rubicon flows list --agent ${given}\` lists its flows`,
    }
  const { flows } = unwrapAnswer(await client.listFlows({ query: { limit: '1' } }))
  return flows.length === 0
    ? {
        summary: `there is no flow \`${given}\`: the store has no flows`,
        fix: 'check --store: flows are in the store of the runtime that opened them',
      }
    : { summary: `there is no flow \`${given}\``, fix: 'see `rubicon flows list`' }
}

function describeUnknownRequest(
  given: string,
  [flow]: readonly string[],
): Pick<Failure, 'summary' | 'fix'> {
  const summary = `there is no request \`${given}\``
  const fix = 'see `rubicon escalations list`'
  if (given === '') return { summary: 'no id was given', fix }
  if (isDfidLike(given) && !isBeginning(given))
    return {
      summary: `\`${given}\` is too short to be the beginning of an id`,
      fix: `type at least ${SHORTEST} characters of it`,
    }
  if (flow === undefined) return { summary, fix }
  return {
    summary: `flow \`${flow}\` has no request`,
    fix: `\`rubicon flows show ${flow}\` shows it; ${fix}`,
  }
}

export function isBeginning(given: string): boolean {
  return given.length >= SHORTEST
}

/** What nothing begins with stays as it is: whoever looks for it says that it is not there. */
export function pickOnlyMatch(given: string, found: readonly string[]): string {
  const [only = given, ...others] = found
  if (others.length === 0) return only
  throw new CliFailure({
    code: 'ID_AMBIGUOUS',
    summary: `\`${given}\` is the beginning of several ids`,
    why: found.length < LISTED ? found.join(', ') : `${found.join(', ')}, and perhaps more`,
    fix: 'type more of the one that is meant',
  })
}
