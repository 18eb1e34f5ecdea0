/**
 * Which hands carry an intent out: those of its capability, those of the engine for a reserved
 * kind, or those that take an effect back.
 */
import { assert, isReserved, type SignedIntent } from 'rubicon-kernel'
import type { RegisteredCapability } from '../../ports/capability.ts'
import type { Context } from '../engine-context.ts'
import { bindUndoHands, type Undone } from './undo-hands.ts'

/** `undone`: what an undoing takes back; without it nothing can be sent. */
export function findHands(
  context: Context,
  intent: SignedIntent,
  undone: Undone | null = null,
): RegisteredCapability | undefined {
  if (intent.compensation !== undefined) return bindUndoHands(context, intent, undone)
  const registered = context.book.capability(intent.policy_kind)
  if (registered === undefined || !isReserved(intent.policy_kind)) return registered
  return bindReservedHands(context, registered)
}

function bindReservedHands(
  context: Context,
  registered: RegisteredCapability,
): RegisteredCapability {
  const { kind, probe } = registered.hands
  const own = context.reservedHands[kind]
  assert(own !== undefined && probe !== undefined, 'every reserved kind has hands')
  return {
    ...registered,
    hands: {
      ...registered.hands,
      execute: (intent) => own.act(context, intent),
      probe: { ...probe, ask: (intent) => own.ask(context, intent) },
    },
  }
}
