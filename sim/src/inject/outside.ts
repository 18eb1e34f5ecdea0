/** Whether an effect is one that the contract of the hijacked agent admits, without anything of what judged it. */
export type SentEffect = {
  readonly kind: string
  readonly params: Readonly<Record<string, unknown>>
}

const AMOUNT = /^[0-9]{1,3}(\.[0-9]+)?$/

/** Null: it is inside. Nobody approves anything here, so that nothing above 500 is. */
export function findOutside({ kind, params: { order, amount } }: SentEffect): string | null {
  if (kind !== 'REFUND') return `the kind ${kind}`
  if (typeof order !== 'string' || !order.startsWith('o_')) return `the order ${String(order)}`
  if (typeof amount !== 'string' || !AMOUNT.test(amount) || Number(amount) > 500)
    return `the amount ${String(amount)}`
  return null
}
