/**
 * The rules of a storm: two that an operator puts in force, one after the other, and others that nobody
 * has agreed to: fewer, stricter, with a changed capability, of an older version.
 */
import { acceptanceHash, foldRules, hex, type Policy, rulesHash, utf8 } from 'rubicon-kernel'
import { sha256 } from '../../runtime/src/adapters/system/sha256.ts'
import { heldRules } from '../../runtime/src/engine/rules/held-standing.ts'
import type { Capability } from '../../runtime/src/ports/capability.ts'
import { type Book, ruleBook } from '../../runtime/src/rule-book.ts'
import { CAPABILITIES } from './capabilities.ts'

export type Law = {
  readonly name: string
  readonly book: Book
}

const ODD = policyOf('no-sevens', (amount) => amount.endsWith('7'))
const LOW = policyOf('no-sevens', (amount) => amount.endsWith('7') || amount.endsWith('3'))
const NONE = policyOf('nothing', () => true)

/** As if it stood in a file: pinned by what it says. */
function policyOf(name: string, denies: (amount: string) => boolean): Policy {
  const hash = `sha256:${hex(sha256(utf8(`${name} ${denies}`)))}`
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

function lawOf(name: string, policies: readonly Policy[], capabilities = CAPABILITIES): Law {
  const book = ruleBook(capabilities, policies, sha256)
  if (!book.ok) throw new Error(book.error.summary)
  return { name, book: book.value }
}

function changed(capability: Capability): Capability {
  return capability.kind === 'PAY' ? { ...capability, version: 'changed' } : capability
}

/** The same policies by a compiler that is long gone. */
function older({ name, book }: Law): Law {
  const ruleSet = { ...book.ruleSet, compiler_version: 'rubicon-kernel/0.0.1' }
  const hash = rulesHash(ruleSet, sha256)
  return { name: `older ${name}`, book: { ...book, ruleSet, hash, rules: { ...book.rules, hash } } }
}

const FIRST = lawOf('first', [ODD])
const SECOND = lawOf('second', [LOW])

/** What an operator puts in force, in turn. */
export const LAWFUL: readonly [Law, Law] = [FIRST, SECOND]

/** What nobody agreed to. Of the lawful ones, that which is not in force is as foreign as any. */
export const FOREIGN: readonly Law[] = [
  lawOf('fewer', []),
  lawOf('stricter', [ODD, NONE]),
  lawOf('changed', [ODD], CAPABILITIES.map(changed)),
  older(FIRST),
  older(SECOND),
]

/** The operator's yes to the change from one to the other. */
export function acceptanceOf(from: Law, to: Law): string {
  const { book } = from
  const capabilities = book.capabilities().map(({ law }) => ({
    capability: law.description,
    capability_hash: law.hash,
  }))
  const body = { rules_hash: book.hash, rules: book.ruleSet, capabilities, texts: {} }
  return acceptanceHash(foldRules(null, body, 0), heldRules(to.book), sha256)
}

/** What a hash in a record stands for. */
export function lawBy(rulesHashHeld: string): Law {
  return [...LAWFUL, ...FOREIGN].find(({ book }) => book.hash === rulesHashHeld) ?? FIRST
}
