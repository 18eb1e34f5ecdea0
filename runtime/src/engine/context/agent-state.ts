/** What an agent keeps for itself between flows, under an optimistic lock. Nothing decides on it. */
import {
  checkJson,
  encodeUtf8,
  err,
  type Failure,
  findCurrentContract,
  type JsonValue,
  LIMITS,
  MAIN,
  ok,
  type Result,
  toCanonicalText,
} from 'rubicon-kernel'
import { buildNoContractFailure } from '../authority/registry/no-contract.ts'
import type { Context } from '../engine-context.ts'
import { buildContentionFailure } from '../rows/contention.ts'

export type AgentState = {
  readonly value: JsonValue
  /** Counts its writes from 1. */
  readonly version: number
  readonly updated_at: string
}

const GROUP = 'agents'

/** Null: it has written nothing yet. */
export async function readAgentState(
  { store }: Context,
  agent: string,
): Promise<AgentState | null> {
  const record = await store.readRecord('agent_state', GROUP, agent)
  return record === null ? null : { ...record.body, version: record.version }
}

/** `expected`: the version that the agent read; null: none. */
export async function writeAgentState(
  context: Context,
  agent: string,
  value: unknown,
  expected: number | null,
): Promise<Result<AgentState, Failure>> {
  const { store } = context
  const problem = await checkAgentContract(context, agent)
  if (problem !== null) return err(problem)
  const { now: updated_at } = await store.readNow(MAIN)
  const checked = checkJson(value)
  if (!checked.ok) {
    const { code, path, detail } = checked.error
    return err({ code, summary: `the state is not JSON at \`${path}\`: ${detail}` })
  }
  if (encodeUtf8(toCanonicalText(checked.value)).length > LIMITS.agentStateBytes)
    return err(tooLarge)
  const ref = { record: 'agent_state', group: GROUP, key: agent } as const
  const body = { value: checked.value, updated_at }
  const outcome = await store.commit({
    guards: [{ kind: 'record_version', ...ref, version: expected }],
    writes: [{ kind: 'put_record', ...ref, body }],
  })
  if (outcome.ok) return ok({ ...body, version: (expected ?? 0) + 1 })
  const current = await readAgentState(context, agent)
  return err({
    code: 'AGENT_STATE_CONFLICT',
    summary: `the state of \`${agent}\` has version ${current?.version ?? 0}, not ${expected ?? 0}`,
    fix: 'read it again, and write on the version that you read',
    meta: { version: current?.version ?? null },
  })
}

/** Who has no contract in force keeps nothing here. */
export async function checkAgentContract(
  { store, authorities }: Context,
  agent: string,
): Promise<Failure | null> {
  const authority = await authorities.loadLatest()
  const { now } = await store.readNow(MAIN)
  const inForce = findCurrentContract(authority, agent, now)
  return inForce === undefined ? buildNoContractFailure(authority, agent, now) : null
}

/** Takes out what an agent keeps for itself; false: there was nothing. */
export async function dropAgentState(
  { store }: Context,
  agent: string,
): Promise<Result<boolean, Failure>> {
  const ref = { record: 'agent_state', group: GROUP, key: agent } as const
  for (let attempt = 0; attempt < LIMITS.unitAttempts; attempt++) {
    const known = await store.readRecord('agent_state', GROUP, agent)
    if (known === null) return ok(false)
    const outcome = await store.commit({
      guards: [{ kind: 'record_version', ...ref, version: known.version }],
      writes: [{ kind: 'drop_record', ...ref }],
    })
    if (outcome.ok) return ok(true)
  }
  return err(buildContentionFailure('the state'))
}

const tooLarge: Failure = {
  code: 'BODY_TOO_LARGE',
  summary: `the state has more than ${LIMITS.agentStateBytes} bytes`,
  fix: 'keep large things elsewhere, and a name for them here',
}
