/**
 * Tries to widen authority by delegation: random chains of writs, honest links and forged ones.
 *
 * After every link that the law accepts, the authority of the new writ is compared with that of
 * each ancestor by trying everything. One call that an ancestor could not make counts the chain as
 * widened. The bar is zero.
 */
import { createHash } from 'node:crypto'
import {
  attenuateWrit,
  computeWritId,
  findWidening,
  type Sha256,
  type WritBody,
} from 'rubicon-kernel'
import {
  type AuthorityForgery,
  type DrawBelow,
  drawAttenuationRequest,
  drawRootWrit,
  FORGERIES,
  forgeSmuggledChild,
  pick,
} from './authority-forgery.ts'
import { findDelegationProblems, findExcesses, type Link } from './authority-universe.ts'

/** Whether a child may hang on its parent: the dimensions in which it may not. */
export type DelegationLaw = (child: WritBody, parent: Link) => readonly string[]

export type AuthorityOptions = {
  readonly chains: number
  readonly seed: number
  /** Another law, so that a test can see that a broken one is caught. */
  readonly law?: DelegationLaw
  readonly progress?: (done: number, of: number) => void
}

type Attempt = 'honest' | 'smuggled' | AuthorityForgery

export type AuthorityReport = {
  readonly chains: number
  /** Chains in which the law accepted a writ that reaches beyond an ancestor. */
  readonly widened: number
  /** Honest children that the law refused: safe, but a fault. */
  readonly honest_refused: number
  readonly tried: Readonly<Record<string, number>>
  readonly refused: Readonly<Record<string, number>>
  /** The first chain that was widened, and how. */
  readonly first?: { readonly chain: number; readonly how: readonly string[] }
}

/** Attempts a chain, most of them refused. */
const ATTEMPTS = 12
const FORGERY_NAMES: readonly AuthorityForgery[] = Object.keys(FORGERIES).filter(isForgery)

const computeSha256: Sha256 = (data) => createHash('sha256').update(data).digest()

export function runAuthorityProof(options: AuthorityOptions): AuthorityReport {
  const { chains, seed, law = findWidening, progress } = options
  const chance = createChance(seed)
  const tried: Record<string, number> = {}
  const refused: Record<string, number> = {}
  let widened = 0
  let first: AuthorityReport['first']
  for (let chain = 0; chain < chains; chain += 1) {
    progress?.(chain, chains)
    const how = growChain(chance, law, (attempt, accepted) => {
      tried[attempt] = (tried[attempt] ?? 0) + 1
      if (!accepted) refused[attempt] = (refused[attempt] ?? 0) + 1
    })
    if (how.length === 0) continue
    widened += 1
    first ??= { chain, how }
  }
  const honest_refused = refused.honest ?? 0
  const report = { chains, widened, honest_refused, tried, refused }
  return first === undefined ? report : { ...report, first }
}

/** Grows one chain. Says how it was widened, if it was. */
function growChain(
  chance: DrawBelow,
  law: DelegationLaw,
  count: (attempt: Attempt, accepted: boolean) => void,
): readonly string[] {
  let leaf = toLink(drawRootWrit(chance))
  const ancestors = [leaf]
  for (let n = 0; n < ATTEMPTS; n += 1) {
    const { attempt, body } = drawChild(leaf, chance)
    const accepted = law(body, leaf).length === 0
    count(attempt, accepted)
    // Nobody can delegate from here, as the refusal has just shown.
    if (!accepted && attempt === 'smuggled') break
    if (!accepted) continue
    const how = [
      ...findDelegationProblems(body, leaf),
      ...ancestors.flatMap((ancestor) => findExcesses(body, ancestor.body)),
    ]
    if (how.length > 0) return [attempt, ...how]
    leaf = toLink(body)
    ancestors.push(leaf)
  }
  return []
}

function drawChild(
  parent: Link,
  chance: DrawBelow,
): { readonly attempt: Attempt; readonly body: WritBody } {
  const child = attenuateWrit(parent, drawAttenuationRequest(chance))
  if (!child.ok) return { attempt: 'smuggled', body: forgeSmuggledChild(parent, chance) }
  if (chance(2) === 0) return { attempt: 'honest', body: child.value }
  const attempt = pick(chance, FORGERY_NAMES)
  return { attempt, body: FORGERIES[attempt](child.value, parent, chance) }
}

function toLink(body: WritBody): Link {
  return { id: computeWritId(body, computeSha256), body }
}

function isForgery(name: string): name is AuthorityForgery {
  return Object.hasOwn(FORGERIES, name)
}

/** One seed, one history (mulberry32). */
function createChance(seed: number): DrawBelow {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}
