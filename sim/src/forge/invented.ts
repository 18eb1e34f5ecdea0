/** What nobody did, asked for or decided, and the kernel's key says was. */
import { computeAddress, formatInstant, type JsonObject, parseInstant } from 'rubicon-kernel'
import { sha256 } from '../../../runtime/src/adapters/system/sha256.ts'
import { getAsked, replaceApproval } from './desk-entries.ts'
import { BUYER, CLERK } from './desk-ledger.ts'
import type { ForgedEntry, ForgedLedger } from './forged-ledger.ts'
import { replaceIntentParams } from './forged-params.ts'
import { type Decision, type Forgery, getCommit, pickDecision } from './forgery.ts'
import { getStepDecision } from './stopped.ts'

const NOTHING = `sha256:${'e'.repeat(64)}`

export const INVENTED: readonly Forgery[] = [
  {
    name: 'an effect that says it takes back what was never done',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const decision = getStepDecision(ledger, 'step-1')
      const { dfid = '' } = decision.payload.intent
      const compensation = { action: 'REVERT', chosen: NOTHING, dfid, of: NOTHING }
      const commit = getCommit(ledger, decision)
      ledger.change(commit, { ...commit.payload, compensates: NOTHING })
      const intent = { ...decision.payload.intent, cost: {}, compensation }
      ledger.change(decision, { ...decision.payload, intent })
    },
  },
  forgeApproval('an approval is said to lift more than it did', ({ lifts }) => {
    return { lifts: [...(lifts as readonly string[]), 'kind', 'authority'] }
  }),
  forgeApproval('an approval is said to end later than it does', ({ valid_until }) => {
    return { valid_until: formatInstant((parseInstant(String(valid_until)) ?? 0) + 3_600_000) }
  }),
  {
    name: 'an agent is said to have approved',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const decided = ledger.entries.find(
        ({ payload }) => getPolicyKind(payload) === 'RESOLVE_ESCALATION',
      )
      const dfid = decided?.envelope.dfid
      if (dfid === undefined) throw new Error('an agent decides once')
      for (const entry of ledger.entries.filter((one) => one.envelope.dfid === dfid))
        ledger.remove(entry)
    },
  },
  {
    name: 'something is done in a flow that was never opened',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const writ = getOpening(ledger, pickDecision(ledger, rng))
      const { flow: _, ...payload } = writ.payload ?? {}
      ledger.change(writ, payload)
    },
  },
  {
    name: 'a flow that is opened twice',
    of: 'payments',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const writ = getOpening(ledger, pickDecision(ledger, rng))
      ledger.insertAfter(writ, { ...writ })
    },
  },
  {
    name: 'an instance outside the hierarchy of its spawner',
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const spawned = ledger.entries.find(({ payload }) => getBody(payload).action === 'spawn')
      const asked = ledger.entries.find((entry): entry is Decision => {
        return getPolicyKind(entry.payload) === 'SPAWN_INSTANCE'
      })
      if (spawned === undefined || asked === undefined) throw new Error('an instance is made')
      ledger.change(spawned, buildSpawnBody(ledger, BUYER, spawned))
      const { proposal, intent } = asked.payload
      const params = { ...(intent.params as JsonObject), class: BUYER }
      const about = {
        proposal: { ...proposal, params },
        intent: replaceIntentParams(intent, params),
      }
      ledger.change(asked, { ...asked.payload, ...about })
    },
  },
]

/** What ran says of its approval what is changed. */
function forgeApproval(name: string, change: (approval: JsonObject) => JsonObject): Forgery {
  return {
    name,
    of: 'desk',
    detectors: ['verifiers'],
    forge(ledger) {
      const { ran } = getAsked(ledger, CLERK, 'OVERRIDE')
      const { approval } = ran.payload.intent as { readonly approval: JsonObject }
      ledger.change(ran, replaceApproval(ran, change(approval)))
    },
  }
}

function getPolicyKind(payload: JsonObject | null): unknown {
  return (payload?.intent as JsonObject | undefined)?.policy_kind
}

function getBody(payload: JsonObject | null): JsonObject {
  return (payload?.body ?? {}) as JsonObject
}

function getOpening({ entries }: ForgedLedger, { envelope: { dfid } }: Decision): ForgedEntry {
  const writ = entries.find(({ envelope }) => envelope.kind === 'writ' && envelope.dfid === dfid)
  if (writ === undefined) throw new Error('a flow begins with its writ')
  return writ
}

/** The same instance, of another class, and all that it may be as one of that. */
function buildSpawnBody(
  { entries }: ForgedLedger,
  ofClass: string,
  { payload }: ForgedEntry,
): JsonObject {
  const deployed = entries
    .map((entry) => getBody(entry.payload))
    .find((body) => {
      return body.action === 'deploy' && (body.contract as JsonObject).agent_id === ofClass
    })
  const before = getBody(payload)
  const { agent_id = '', effective_until = '' } = before.contract as JsonObject
  const own = { agent_id, effective_until, instance_of: ofClass }
  const contract = { ...(deployed?.contract as JsonObject), ...own }
  const of = deployed?.contract_hash ?? ''
  const contract_hash = computeAddress('contract', contract, sha256)
  return { ...payload, body: { ...before, contract, contract_hash, of } }
}
