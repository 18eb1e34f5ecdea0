/**
 * Which hands carry an intent out: those of its capability, those of the engine for a reserved
 * kind, or those that take an effect back.
 */
import { isReserved, type SignedIntent } from 'rubicon-kernel'
import type { RegisteredCapability } from '../ports/capability.ts'
import type { Context } from './context.ts'
import { bindReservedHands } from './reserved/hands.ts'
import { bindUndoHands, type Undone } from './saga/undo-hands.ts'

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
