import type { ReactNode } from 'react'
import { AgentText } from './agent-text.tsx'
import { isHash, shortenHash, splitHashes } from './hash-pieces.ts'
import { Copy } from './id.tsx'
import { Value } from './value.tsx'

/** What an agent wrote, with hashes by both of their ends: whole they take lines, and nobody reads them. */
export function HashText({ text }: { readonly text: string }): ReactNode {
  return splitHashes(text).map(({ text: piece, isHash: isShort }, index) =>
    isShort ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never move
      <ShortHash key={index} hash={piece} />
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never move
      <AgentText key={index} text={piece} />
    ),
  )
}

/** Any value; a hash by both of its ends, and whole where it is copied. */
export function HashValue({ value }: { readonly value: unknown }): ReactNode {
  if (typeof value !== 'string' || !isHash(value)) return <Value value={value} />
  return (
    <span className="id">
      <ShortHash hash={value} />
      <Copy value={value} what={`copy ${shortenHash(value)}`} />
    </span>
  )
}

function ShortHash({ hash }: { readonly hash: string }): ReactNode {
  return (
    <span className="mono" title={hash}>
      {shortenHash(hash)}
    </span>
  )
}
