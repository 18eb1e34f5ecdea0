/** Decisions whose class asks for an atom, and that the kernel's key vouches for without one, or with one that cannot be. */
import type { JsonObject } from 'rubicon-kernel'
import type { Rng } from '../rng.ts'
import type { ForgedEntry, ForgedLedger } from './forged-ledger.ts'
import { getTraceLines } from './forged-params.ts'
import { type Decision, type Detector, type Forgery, pickDecision } from './forgery.ts'

export const UNSETTLED: readonly Forgery[] = [
  forgeDecision('no atom where its class asks for one', ['verifiers', 'law'], (payload) => {
    const { proposal, facts, intent, ...rest } = payload
    const trace = getTraceLines(payload)
      .filter(({ stage }) => stage !== 'atom')
      .map(({ covered: _, ...line }) => line)
    return {
      ...rest,
      trace,
      facts: drop(facts, 'atom'),
      intent: drop(intent, 'atom_id'),
      proposal: drop(proposal, 'atom_id'),
    }
  }),
  {
    name: 'an atom that is used twice',
    of: 'atoms',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const second = pickDecision(ledger, rng, ({ proposal }) => proposal.step_id === 'second')
      const first = ledger.entries.find(
        (entry): entry is Decision =>
          entry.envelope.dfid === second.envelope.dfid &&
          (entry.payload?.intent as JsonObject | undefined)?.step_id === 'first',
      )
      if (first === undefined) throw new Error('each flow has two steps')
      const { intent, proposal, facts } = second.payload
      const { atom_id } = first.payload.intent
      const { atom } = first.payload.facts as JsonObject
      ledger.change(second, {
        ...second.payload,
        intent: { ...intent, atom_id: atom_id ?? null },
        proposal: { ...proposal, atom_id: atom_id ?? null },
        facts: { ...(facts as JsonObject), atom: atom ?? null },
      })
    },
  },
  forgeAtom('an atom that had expired', ['verifiers', 'law'], (atom, { intent }) => {
    return { ...atom, expires_at: intent.staged_at ?? null }
  }),
  forgeAtom('an atom for more than its contract grants', ['verifiers'], (atom) => {
    return { ...atom, policy_kinds: ['ORDER', 'WITHDRAW'] }
  }),
  forgeAtom('an atom that lasts for an hour', ['verifiers'], (atom) => {
    const until = Date.parse(String(atom.issued_at)) + 3_600_000
    return { ...atom, expires_at: new Date(until).toISOString() }
  }),
  forgeAtom(
    'an atom that covers what was settled on another authority',
    ['verifiers', 'law'],
    (atom) => {
      return { ...atom, authority_seq: Number(atom.authority_seq) - 1 }
    },
  ),
  {
    name: 'an atom that nobody issued',
    of: 'atoms',
    detectors: ['verifiers'],
    forge(ledger, rng) {
      const decision = pickDecision(ledger, rng)
      ledger.remove(findIssue(ledger, decision))
    },
  },
]

function drop(value: unknown, name: string): JsonObject {
  const { [name]: _, ...rest } = value as JsonObject
  return rest
}

function findIssue({ entries }: ForgedLedger, { payload }: Decision): ForgedEntry {
  const issue = entries.find((entry) => {
    const atom = entry.payload?.atom as JsonObject | undefined
    return atom?.atom_id === payload.intent.atom_id
  })
  if (issue === undefined) throw new Error('every atom was issued')
  return issue
}

function forgeDecision(
  name: string,
  detectors: readonly Detector[],
  change: (payload: Decision['payload']) => JsonObject,
): Forgery {
  return {
    name,
    of: 'atoms',
    detectors,
    forge(ledger: ForgedLedger, rng: Rng) {
      const decision = pickDecision(ledger, rng)
      ledger.change(decision, change(decision.payload))
    },
  }
}

/** Where it was issued, and in the facts that were judged. */
function forgeAtom(
  name: string,
  detectors: readonly Detector[],
  change: (atom: JsonObject, payload: Decision['payload']) => JsonObject,
): Forgery {
  return {
    name,
    of: 'atoms',
    detectors,
    forge(ledger: ForgedLedger, rng: Rng) {
      const decision = pickDecision(ledger, rng)
      const issue = findIssue(ledger, decision)
      const toChanged = (atom: unknown): JsonObject => change(atom as JsonObject, decision.payload)
      const facts = decision.payload.facts as JsonObject
      const fact = facts.atom as JsonObject
      ledger.change(issue, { ...issue.payload, atom: toChanged(issue.payload?.atom) })
      const shown = { ...facts, atom: { ...fact, atom: toChanged(fact.atom) } }
      ledger.change(decision, { ...decision.payload, facts: shown })
    },
  }
}
