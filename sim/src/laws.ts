/**
 * The rules of a storm: two that an operator puts in force, one after the other, and others that nobody
 * has agreed to: fewer, stricter, in another order, with a changed capability, of an older version, of
 * another software that says it has the same, with sources that are believed more.
 */
import {
  encodeHex,
  encodeUtf8,
  hashAcceptance,
  hashRules,
  type Policy,
  type RecordedRules,
  type RuleSet,
  type TopicRow,
  type TopologyRow,
} from 'rubicon-kernel'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { toHeldRules } from '../../runtime/src/engine/authority/rules/held-standing.ts'
import type { Capability } from '../../runtime/src/ports/capability.ts'
import type { DeclaredSource } from '../../runtime/src/ports/fact-source.ts'
import { type Book, buildRuleBook } from '../../runtime/src/rule-book.ts'
import { CAPABILITIES } from './capabilities.ts'
import { BANKER, STREAMER } from './contracts.ts'
import { listArtifactKinds } from './crafts/craft-place.ts'
import { FEEDS } from './market.ts'
import { TOOLS } from './tools.ts'

export type Law = {
  readonly name: string
  readonly book: Book
  /** Who is said to speak for the outside, where that is not what everybody else says. */
  readonly feeds?: readonly DeclaredSource[]
}

const ALL_CAPABILITIES: readonly Capability[] = [...CAPABILITIES, ...TOOLS]

const ODD = createPolicy('no-sevens', (amount) => amount.endsWith('7'))
const LOW = createPolicy('no-sevens', (amount) => amount.endsWith('7') || amount.endsWith('3'))
const NONE = createPolicy('nothing', () => true)
const SILENT = createPolicy('silent', () => false)

/** As if it stood in a file: pinned by what it says. */
function createPolicy(name: string, denies: (amount: string) => boolean): Policy {
  const hash = `sha256:${encodeHex(sha256(encodeUtf8(`${name} ${denies}`)))}`
  return {
    name,
    version: '1',
    source: { kind: 'file', language: 'typescript', hash },
    evaluate({ proposal }) {
      const { amount } = proposal.params
      const denied = typeof amount === 'string' && denies(amount)
      return { decision: denied ? { kind: 'deny', reason: 'an unlucky amount' } : null }
    },
  }
}

/** What alarms wake agents about: one of them is carried out. */
const ALIKE: readonly TopicRow[] = [{ topic: 'alarm.*', arbitration: { window_ms: 1_500 } }]
/** Of one item in another order, of one those that share nothing, of one all of a few. */
const APART: readonly TopicRow[] = [
  {
    topic: 'alarm.item-0',
    arbitration: { window_ms: 4_000, preempting_kinds: ['HALT', 'PAY', 'STOCK'] },
  },
  { topic: 'alarm.item-1', arbitration: { window_ms: 800, exclusive: 'resources' } },
  { topic: 'alarm.item-2', admission: { table: [{ from: '0', agents: 2 }] } },
]

/** Who has to decide under an atom, and who with a proof. */
const TOPOLOGIES: readonly TopologyRow[] = [
  { topology: 'SDS', agents: [STREAMER] },
  { topology: 'DL_PCI', agents: [BANKER] },
]

type LawRows = {
  readonly topics?: readonly TopicRow[]
  readonly topologies?: readonly TopologyRow[]
}

function createLaw(
  name: string,
  policies: readonly Policy[],
  capabilities = ALL_CAPABILITIES,
  { topics = ALIKE, topologies = TOPOLOGIES }: LawRows = {},
): Law {
  const book = buildRuleBook(capabilities, policies, sha256, topologies, topics)
  if (!book.ok) throw new Error(book.error.summary)
  return { name, book: book.value }
}

function changeCapability(capability: Capability): Capability {
  return capability.kind === 'PAY' ? { ...capability, version: 'changed' } : capability
}

/** The same policies by a compiler that is long gone. */
function toOlderLaw(law: Law): Law {
  return replaceSoftware('older', law, { compiler_version: 'rubicon-kernel/0.0.1' })
}

/** The same policies by a compiler that knows other reasons, and says it is the same. */
function toUnlikeLaw(law: Law): Law {
  return replaceSoftware('unlike', law, { reason_table: `sha256:${'0'.repeat(64)}` })
}

function replaceSoftware(how: string, { name, book }: Law, software: Partial<RuleSet>): Law {
  const ruleSet = { ...book.ruleSet, ...software }
  const hash = hashRules(ruleSet, sha256)
  return {
    name: `${how} ${name}`,
    book: { ...book, ruleSet, hash, rules: { ...book.rules, hash } },
  }
}

/** What an operator puts in force, in turn; and what nobody agreed to. */
export type Laws = {
  readonly lawful: readonly [Law, Law]
  /** Of the lawful ones, that which is not in force is as foreign as any. */
  readonly foreign: readonly Law[]
}

function createLaws(all: readonly Capability[]): Laws {
  const first = createLaw('first', [ODD, SILENT], all)
  const second = createLaw('second', [LOW, SILENT], all, { topics: APART })
  return {
    lawful: [first, second],
    foreign: [
      createLaw('fewer', [], all, { topologies: [] }),
      createLaw('stricter', [ODD, NONE], all),
      createLaw('reordered', [SILENT, ODD], all),
      createLaw('changed', [ODD, SILENT], all.map(changeCapability)),
      toOlderLaw(first),
      toOlderLaw(second),
      toUnlikeLaw(first),
      toUnlikeLaw(second),
      {
        ...createLaw('credulous', [], all),
        feeds: FEEDS.map((feed) => ({ ...feed, label: 'trusted' as const })),
      },
    ],
  }
}

export const PLAIN_LAWS: Laws = createLaws(ALL_CAPABILITIES)
/** Where there are artifacts as well: other seeds have the hashes, and so the histories, of before. */
export const CRAFT_LAWS: Laws = createLaws([...ALL_CAPABILITIES, ...listArtifactKinds()])

/** The operator's yes to the change from what is recorded to a law. */
export function computeAcceptance(from: RecordedRules, to: Law): string {
  return hashAcceptance(from, toHeldRules(to.book), sha256)
}

/** What a hash in a record stands for; it says nothing of capabilities, so the law is one that has all of them. */
export function findLaw(rulesHashHeld: string): Law {
  const { lawful, foreign } = CRAFT_LAWS
  return [...lawful, ...foreign].find(({ book }) => book.hash === rulesHashHeld) ?? lawful[0]
}
