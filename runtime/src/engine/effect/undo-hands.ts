/**
 * The hands that take an effect back: what its capability offers for the choice that was made. What
 * they return no delta for is taken back in World by the inverse that the commit recorded; where
 * the World has moved on since, that conflicts, and a person looks.
 *
 * An answer that is lost leaves it as uncertain as any effect of the capability. Its probe asks about the
 * effect and not about the undoing: only where it has a question of its own for a REVERT (`askUndone`) is
 * that asked.
 */
import { type CommitPayload, type Delta, REVERT, type SignedIntent } from 'rubicon-kernel'
import {
  type Capability,
  type Compensate,
  type Effect,
  type EffectIo,
  NotApplied,
  type RegisteredCapability,
} from '../../ports/capability.ts'
import type { Context } from '../engine-context.ts'
import { parseIntent } from '../rows/stored-intent.ts'
import { readExecutions } from '../saga/effects.ts'

/** What is to be taken back, and what takes it back in World. */
export type Undone = { readonly original: SignedIntent; readonly inverse: Delta }

/** `undone` null: nothing that could be taken back was found, and nothing is sent. */
export function bindUndoHands(
  context: Context,
  { capability, compensation }: SignedIntent,
  undone: Undone | null,
): RegisteredCapability | undefined {
  const kind = capability.slice(0, capability.lastIndexOf('@'))
  const registered = context.book.capability(kind)
  if (registered === undefined || compensation === undefined) return undefined
  const { probe: own, postcondition: _, ...hands } = registered.hands
  const { probe: said, ...description } = registered.law.description
  const act = findCompensate(registered, compensation.action)
  if (act === undefined) return undefined
  const probe = compensation.action === REVERT ? bindUndoProbe(own, undone) : undefined
  return {
    law: {
      ...registered.law,
      description:
        probe === undefined || said === undefined ? description : { ...description, probe: said },
    },
    hands: {
      ...hands,
      execute: (_intent, io) => takeBack(undone, act, io),
      ...(probe === undefined ? {} : { probe }),
    },
    checkResult: null,
  }
}

/** Where it was taken back and no delta is said, the recorded inverse is what happened, as in `takeBack`. */
function bindUndoProbe(
  probe: Capability['probe'],
  undone: Undone | null,
): Capability['probe'] | undefined {
  const ask = probe?.askUndone
  if (probe === undefined || ask === undefined) return undefined
  return {
    ...probe,
    ask: async (_intent, io) => {
      if (undone === null) return { finding: 'inconclusive', detail: UNRECORDED }
      const answer = await ask(undone.original, io)
      if (answer.finding !== 'applied') return answer
      return { ...answer, effect: { delta: undone.inverse, ...answer.effect } }
    },
  }
}

const UNRECORDED = 'the effect that is to be taken back is not in the record any more'

function findCompensate(
  { law, hands }: RegisteredCapability,
  action: string,
): Compensate | undefined {
  if (action !== REVERT) return hands.compensations?.[action]
  return hands.compensate ?? (law.description.world_only ? () => ({}) : undefined)
}

/**
 * Read before anybody asks whether there is time left to send: hands that waited for the store would
 * send when it answers, however late.
 */
export async function findUndone(
  context: Context,
  { dfid, compensation }: SignedIntent,
): Promise<Undone | null> {
  const of = compensation?.of
  const rows = await readExecutions(context, dfid)
  const original = rows.map(({ intent }) => parseIntent(intent)).find(matchIntentId(of))
  const inverse = await readInverse(context, dfid, of)
  return original === undefined || inverse === null ? null : { original, inverse }
}

async function takeBack(undone: Undone | null, act: Compensate, io: EffectIo): Promise<Effect> {
  if (undone === null) throw new NotApplied(UNRECORDED)
  const effect = await act(undone.original, io)
  return effect.delta === undefined ? { ...effect, delta: undone.inverse } : effect
}

function matchIntentId(id: string | undefined): (intent: SignedIntent) => boolean {
  return ({ intent_id }) => intent_id === id
}

/** What takes the effect back in World, as its commit recorded it. Null: the commit was erased. */
export async function readInverse(
  { store }: Context,
  dfid: string,
  of: string | undefined,
): Promise<Delta | null> {
  for (const { envelope, payload } of await store.listFlowEntries(dfid, ['commit'])) {
    if (envelope.kind !== 'commit' || payload === null) continue
    const { intent_id, inverse } = JSON.parse(payload) as CommitPayload
    if (intent_id === of) return inverse
  }
  return null
}
