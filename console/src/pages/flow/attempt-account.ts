/**
 * One attempt of a flow in four parts: what its agent was shown, what it proposed, what was decided about that, and what
 * happened then, each with the entries that say so.
 */
import type { JsonObject } from 'rubicon-kernel'
import { type AtomAccount, listAtoms } from './atom-account.ts'
import { parseObject, parseSnapshot } from './entry-payload.ts'
import { isJudgement } from './story.ts'
import type { Attempt, FlowEntry, Ruling, Story } from './story-parts.ts'

export type Shown = { readonly entry: FlowEntry; readonly snapshot: Partial<JsonObject> }

export type AttemptAccount = {
  readonly attempt: Attempt
  /** Null: the entry that says so is not there, or was erased. */
  readonly shown: Shown | null
  readonly rulings: readonly Ruling[]
  /** What was settled before, as far as it was used here. */
  readonly atoms: readonly AtomAccount[]
  /** What came of it, in the order of the ledger. */
  readonly happened: readonly FlowEntry[]
  /** Of what it sent; null: nothing was. */
  readonly step: string | null
}

export function listAttempts({ steps }: Pick<Story, 'steps'>): readonly Attempt[] {
  return steps.filter((step) => step.kind === 'attempt')
}

export function buildAttemptAccount(
  { steps }: Pick<Story, 'steps'>,
  entries: readonly FlowEntry[],
  attempt: Attempt,
): AttemptAccount {
  const at = entries.findIndex(({ id }) => id === attempt.entry.id)
  const all = listAttempts({ steps })
  const others = new Set(all.map(({ entry }) => entry.id))
  // One whose text was left out may be the next: what comes after it is not of this one.
  const next = entries.findIndex(
    (entry, index) =>
      index > at && (others.has(entry.id) || (isJudgement(entry) && entry.payload == null)),
  )
  const until = next < 0 ? entries.length : next
  const between = new Set(entries.slice(at, until).map(({ id }) => id))
  const { intent_id, step_id } = parseIntent(attempt.entry)
  return {
    attempt,
    shown: findShown(entries.slice(0, at)),
    rulings: steps
      .filter((step) => step.kind === 'ruling')
      .filter(({ entry }) => between.has(entry.id)),
    atoms: listAtoms(entries, all).flatMap((atom) => pickUses(atom, attempt)),
    happened: entries.filter(
      (entry, index) =>
        index >= at &&
        RESULTS.includes(entry.kind) &&
        isResultOf(entry, intent_id, between) &&
        !isAsked(entry),
    ),
    step: step_id,
  }
}

/** Atoms that this attempt names, and those that none does. */
function pickUses(atom: AtomAccount, { attempt }: Attempt): readonly AtomAccount[] {
  const uses = atom.uses.filter((use) => use.attempt === attempt)
  return uses.length > 0 || atom.uses.length === 0 ? [{ ...atom, uses }] : []
}

const RESULTS: readonly string[] = [
  'dispatch',
  'accepted',
  'resend',
  'settle',
  'commit',
  'evidence',
]

/** What names an intent belongs to the attempt of it, however late; the rest to the attempt before it. */
function isResultOf(
  { id, payload }: FlowEntry,
  intent: string | null,
  between: ReadonlySet<string>,
): boolean {
  const named = parseIntent({ payload }).intent_id
  return named === null ? between.has(id) : named === intent
}

/** A model was asked, or a context compiled: that came before a proposal. */
function isAsked({ kind, payload }: FlowEntry): boolean {
  const { source } = parseObject(payload)
  return kind === 'evidence' && (source === 'model' || source === 'context')
}

type Intent = { readonly intent_id: string | null; readonly step_id: string | null }

function parseIntent({ payload }: Pick<FlowEntry, 'payload'>): Intent {
  const { intent, intent_id: named } = parseObject(payload)
  const { intent_id, step_id } = parseObject(intent)
  return { intent_id: toText(intent_id ?? named), step_id: toText(step_id) }
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** What stands in the last of these entries that says so: a refusal shows anew, as a look does. */
function findShown(entries: readonly FlowEntry[]): Shown | null {
  const entry = entries.findLast(({ payload }) => parseSnapshot(payload) !== null)
  const snapshot = parseSnapshot(entry?.payload)
  return entry === undefined || snapshot === null ? null : { entry, snapshot }
}
