/**
 * Flows and requests by the beginning of their ids: as much as somebody has copied, in any case. What
 * nothing begins with is refused here, with what it is instead.
 */
import type { Failure } from 'rubicon-kernel'
import { readAuthority } from 'rubicon-runtime/engine/authority'
import { ESCALATION_STATES } from 'rubicon-runtime/engine/rows'
import type { Store } from 'rubicon-runtime/ports'
import { type CommandCall, getArgument, getServerOption } from './call.ts'
import { CliFailure } from './failure.ts'
import { readFromStore } from './open.ts'
import { describeOtherId, isDfidLike } from './other-id.ts'

/** Shorter ones would soon mean many. */
const SHORTEST = 8
const LISTED = 10
/** Behind everything that an id may go on with. */
const END = '~'

/** The dfid that the first argument of a verb means. */
export function resolveDfidArgument(call: CommandCall): Promise<string> {
  const given = getArgument(call, 0, 'DFID')
  // Whoever asks a server need not have its store: they type all of it.
  if (getServerOption(call) !== undefined) return Promise.resolve(given)
  return readFromStore(call.place, (store) => resolveDfid(store, given))
}

/** The id of a request that was typed. */
export function resolveRequestArgument(call: CommandCall, given: string): Promise<string> {
  if (getServerOption(call) !== undefined) return Promise.resolve(given)
  return readFromStore(call.place, (store) => resolveRequestId(store, given))
}

export async function resolveDfid(store: Store, typed: string): Promise<string> {
  const given = normaliseId(typed)
  if (isBeginning(given)) {
    if ((await store.readFlow(given)) !== null) return given
    const found = await store.listFlowSummaries({ from: given, before: given + END, limit: LISTED })
    if (found.length > 0)
      return pickOnlyMatch(
        given,
        found.map(({ dfid }) => dfid),
      )
  }
  throw new CliFailure({
    code: 'FLOW_UNKNOWN',
    ...(await describeUnknownFlow(store, typed.trim())),
  })
}

/** Ids are made in lower case; what copies them may write them otherwise. */
function normaliseId(typed: string): string {
  const given = typed.trim()
  const [dfid = ''] = given.split(':')
  return isDfidLike(dfid) ? given.toLowerCase() : given
}

async function describeUnknownFlow(
  store: Store,
  given: string,
): Promise<Pick<Failure, 'summary' | 'fix'>> {
  const other = describeOtherId(given, SHORTEST)
  if (other !== null) return other
  if ((await readAuthority(store)).statuses.has(given))
    return {
      summary: `\`${given}\` is an agent, not a flow`,
      fix: `\`rubicon flows list --agent ${given}\` lists its flows`,
    }
  return (await store.listFlows({ limit: 1 })).length === 0
    ? {
        summary: `there is no flow \`${given}\`: the store has no flows`,
        fix: 'check --store: flows are in the store of the runtime that opened them',
      }
    : { summary: `there is no flow \`${given}\``, fix: 'see `rubicon flows list`' }
}

export async function resolveRequestId(store: Store, typed: string): Promise<string> {
  const given = normaliseId(typed)
  if (isBeginning(given)) {
    const range = { until: given + END, limit: LISTED }
    const keys: string[] = []
    for (const state of ESCALATION_STATES) {
      const exact = await store.listRecords('escalation', state, {
        until: given,
        newest: true,
        limit: 1,
      })
      if (exact[0]?.key === given) return given
      const longer = await store.listRecords('escalation', state, { after: given, ...range })
      keys.push(...longer.map(({ key }) => key))
    }
    if (keys.length > 0) return pickOnlyMatch(given, keys)
  }
  throw new CliFailure({
    code: 'ESCALATION_UNKNOWN',
    ...(await describeUnknownRequest(store, given)),
  })
}

async function describeUnknownRequest(
  store: Store,
  given: string,
): Promise<Pick<Failure, 'summary' | 'fix'>> {
  const summary = `there is no request \`${given}\``
  const fix = 'see `rubicon escalations list`'
  if (given === '') return { summary: 'no id was given', fix }
  if (isDfidLike(given) && !isBeginning(given))
    return {
      summary: `\`${given}\` is too short to be the beginning of an id`,
      fix: `type at least ${SHORTEST} characters of it`,
    }
  const flow = isDfidLike(given)
    ? (await store.listFlowSummaries({ from: given, before: given + END, limit: 1 }))[0]
    : undefined
  if (flow === undefined) return { summary, fix }
  return {
    summary: `flow \`${flow.dfid}\` has asked nobody`,
    fix: `\`rubicon flows show ${flow.dfid}\` shows it; ${fix}`,
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
    summary: `\`${given}\` is the beginning of several`,
    why: found.length < LISTED ? found.join(', ') : `${found.join(', ')}, and perhaps more`,
    fix: 'type more of the one that is meant',
  })
}
