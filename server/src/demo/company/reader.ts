/** A soft guard of the company: a model reads whether what an agent says fits what it does. */
import { createModelGuard, createScriptedProvider } from 'rubicon-runtime/compose'
import type { ModelPrice, SoftGuard } from 'rubicon-runtime/ports'

/** What a story is flagged for. */
export const GIFT = 'gift card'

export function createReader(price: ModelPrice): SoftGuard {
  const provider = createScriptedProvider({
    name: 'reader',
    price,
    script: ({ messages: [asked] }) => {
      const isGift = asked?.text.includes(GIFT) === true
      const why = isGift ? 'a gift card for a friend is no refund' : 'it does what it says'
      return JSON.stringify({ verdict: isGift ? 'does_not_fit' : 'fits', why })
    },
  })
  // The busiest agent alone has less than a quarter of it in a day.
  const budget = { window_s: 86_400, tokens: '5000000' }
  const guard = createModelGuard({ name: 'reader', provider, model: 'reader-small', budget })
  return {
    ...guard,
    // What goes to people's accounts; the rest is not worth a question.
    check: async (input, signal, ask) =>
      input.context.policy_kind === 'REFUND' ? guard.check(input, signal, ask) : FITS,
  }
}

const FITS = { mismatch: false, why: '' }
