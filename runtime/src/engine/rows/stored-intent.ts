/** An intent as the store holds it. */
import { type SignedIntent, toCanonicalText } from 'rubicon-kernel'

/** Intents in our own store are canonical JSON; whether the kernel signed them is checked apart. */
export function parseIntent(text: string): SignedIntent {
  return JSON.parse(text) as SignedIntent
}

/** What the kernel signed of a stored intent: its text without the signature. Null: not one. */
export function stripIntentSignature(
  text: string,
  { kernel_signature }: SignedIntent,
): string | null {
  const parts = text.split(`"kernel_signature":${toCanonicalText(kernel_signature)},`)
  return parts.length === 2 ? parts.join('') : null
}
