/** Rows of the world that stay where they are: every resource that there ever was, in one order. */
import type { WorldMoment, WorldResource } from 'rubicon-agents/client'
import { shortenHashes } from '../../parts/hash-pieces.ts'

export type WorldRow = {
  readonly name: string
  readonly kind: string
  readonly id: string
  /** Null: it was not there yet. */
  readonly resource: WorldResource | null
  /** What it was at the moment that this one is compared with; null: it was not there. */
  readonly before: WorldResource['before']
  readonly changed: boolean
}

/** A kind is an identifier, and has no slash. */
export function toResourceName({ kind, id }: Pick<WorldResource, 'kind' | 'id'>): string {
  return `${kind}/${id}`
}

export function parseName(name: string): { readonly kind: string; readonly id: string } | null {
  const slash = name.indexOf('/')
  return slash < 1 ? null : { kind: name.slice(0, slash), id: name.slice(slash + 1) }
}

/** `head`: at the last entry. Nothing is ever forgotten, so that it names whatever was there before. */
export function buildWorldRows(
  head: Pick<WorldMoment, 'resources'>,
  now: Pick<WorldMoment, 'resources'>,
  changes: Pick<WorldMoment, 'resources'> | null,
): readonly WorldRow[] {
  const there = new Map(now.resources.map((resource) => [toResourceName(resource), resource]))
  const moved = new Map(changes?.resources.map((resource) => [toResourceName(resource), resource]))
  return head.resources.map(({ kind, id }) => {
    const name = toResourceName({ kind, id })
    const change = moved.get(name)
    return {
      name,
      kind,
      id,
      resource: there.get(name) ?? null,
      before: change?.before ?? null,
      changed: change !== undefined,
    }
  })
}

const LONGEST = 120

/** A value in one line. */
export function formatValue(value: unknown): string {
  const text = shortenHashes(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'null'))
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}
