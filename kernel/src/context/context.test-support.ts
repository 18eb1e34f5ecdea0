/** The base case of the compiler as the input of a context, and layers to put around it. */
import { AGENT, type CasePatch, DFID, NOW, sha256, withCase } from '../compile/case.test-support.ts'
import { hashContract } from '../contract/contract-hash.ts'
import { hashMission } from '../contract/mission.ts'
import { type AssembledContext, assembleContext, type ContextInput } from './assemble.ts'
import type { ArtifactRef, LayerRecord, SessionEvent, StoredMemory } from './layers.ts'

export { AGENT, DFID, NOW, sha256 }

export const HOUR = 3_600_000

/** A stand-in for a tokenizer: one token for every four characters that were begun. */
export const countTokens = (text: string): number => Math.ceil(text.length / 4)

export function contextInput(
  patch: Partial<ContextInput> = {},
  { contract: changed }: Pick<CasePatch, 'contract'> = {},
): ContextInput {
  const { contract, facts } = withCase(changed === undefined ? {} : { contract: changed })
  if (contract === null) throw new Error('a context is that of a contract')
  return {
    dfid: DFID,
    trigger: 'price moved',
    now: NOW,
    contract,
    contract_hash: hashContract(contract, sha256),
    mission_context_hash: hashMission(contract, sha256),
    state: facts.value.state,
    world: facts.value.world,
    session: [],
    memory: [],
    artifacts: [],
    countTokens,
    sha256,
    ...patch,
  }
}

export function assembled(input: ContextInput): AssembledContext {
  const result = assembleContext(input)
  if (!result.ok) throw new Error(`${result.error.code}: ${result.error.summary}`)
  return result.value
}

/** Of an hour of the day of the case. */
export function at(hour: number): string {
  return `2026-03-02T${String(hour).padStart(2, '0')}:00:00.000Z`
}

export function note(
  key: string,
  hour: number,
  change: Partial<SessionEvent> = {},
): LayerRecord<SessionEvent> {
  return {
    key,
    body: { at: at(hour), label: 'agent', text: `note ${key}`, tokens: 10, flags: [], ...change },
  }
}

export function decision(
  key: string,
  hour: number,
  change: Partial<StoredMemory> = {},
): LayerRecord<StoredMemory> {
  return {
    key,
    body: {
      at: at(hour),
      dfid: DFID,
      attempt: 1,
      policy_kind: 'BUY',
      outcome: 'ACCEPTED',
      reason_code: null,
      summary: `decision ${key}`,
      tokens: 20,
      ...change,
    },
  }
}

export function piece(
  artifact: string,
  chunk: number,
  change: Partial<ArtifactRef> = {},
): ArtifactRef {
  return {
    artifact,
    chunk,
    title: `the ${artifact}`,
    label: 'operator',
    text: `piece ${chunk} of ${artifact}`,
    tokens: 40,
    score: 100 - chunk,
    ...change,
  }
}
