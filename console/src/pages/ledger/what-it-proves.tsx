import type { ReactNode } from 'react'

const PROVES: readonly string[] = [
  'Every entry is, byte for byte, what was written when it got its id.',
  'Nothing was added, removed or reordered afterwards: the chain, the tree and the signed checkpoint agree.',
  'Every change of authority, writ and intent was signed by a key that was registered for it at that time.',
  'Nothing was dispatched without a contract and a writ in force, and the World follows from the committed changes.',
]

const DOES_NOT: readonly string[] = [
  'That what an entry says was true: it proves who recorded it, and when in the order.',
  'That everything that happened was recorded. What was never written is not here.',
  'Who owns the keys, unless you pinned them or a checkpoint from another source.',
  'Of a bundle: that no revocation was left out of it. The whole ledger shows that.',
]

/** Beside every verdict: how far it reaches. */
export function WhatItProves(): ReactNode {
  return (
    <aside className="proves" aria-label="what this proves">
      <h2>What this proves</h2>
      <List items={PROVES} />
      <h2>What it does not</h2>
      <List items={DOES_NOT} />
    </aside>
  )
}

function List({ items }: { readonly items: readonly string[] }): ReactNode {
  return (
    <ul className="proves-list">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  )
}
