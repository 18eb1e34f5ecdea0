/** A chain of writ bodies with its ids, and what is known of each link. */
import { computeWritId, type Facts, type Writ, type WritBody } from 'rubicon-kernel'
import { hashSha256, type Open } from './case-parts.ts'

/** From the issuer down; a link that already names a parent keeps it. */
export function sealChain(bodies: readonly Open<WritBody>[]): Open<Writ>[] {
  const chain: Open<Writ>[] = []
  for (const body of bodies.toReversed()) {
    const parent = chain[0]
    if (parent !== undefined) body.parent ??= parent.id
    const id = computeWritId(body as WritBody, hashSha256)
    chain.unshift({ id, body, signature: { key_id: body.issuer_key, sig: 'c2ln' } })
  }
  return chain
}

export function buildWritFact(
  id: Writ['id'],
  body: Open<WritBody>,
  parent: Open<WritBody> | undefined,
): Open<Facts['writs'][number]> {
  const [purpose, subject] =
    parent === undefined ? (['issuer', 'ops'] as const) : (['agent', parent.subject] as const)
  const signature = { key_id: body.issuer_key, purpose, subject, valid: true }
  return { id, nonce: body.nonce, signature, revoked: false }
}
